#include "fanout/sse/fuzz_request_case.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "fanout/sse/request.h"
#include "fuzz/require.h"

namespace rpcbench {
namespace {

constexpr RequestLimits kLimits{.header = 300, .body = 200};  // so that small inputs pass them

struct Verdict {
  std::vector<HttpRequest> requests;
  int refused = 0;  // the status, or 0
};

bool Same(const HttpRequest& a, const HttpRequest& b) {
  const auto parts = [](const HttpRequest& r) {
    return std::tie(r.method, r.path, r.query, r.accept_encoding, r.last_event_id,
                    r.has_accept_encoding, r.content_type, r.body);
  };
  return parts(a) == parts(b);
}

void RequireSame(const Verdict& a, const Verdict& b, const char* what) {
  Require(a.refused == b.refused, what);
  Require(
      std::equal(a.requests.begin(), a.requests.end(), b.requests.begin(), b.requests.end(), Same),
      what);
}

void Check(const HttpRequest& request) {
  Require(request.body.size() <= kLimits.body, "a body over its limit");
  Require(request.path.size() + request.query.size() <= kLimits.header, "a header over its limit");
  Require(request.path.starts_with('/'), "a path without a slash");
  request.Parameter("cohort");
  if (request.query.empty()) return;
  const std::string key = request.query.substr(0, request.query.find_first_of("=&%+"));
  if (!key.empty())
    Require(request.Parameter(key).has_value() || request.query[key.size()] == '%' ||
                request.query[key.size()] == '+',
            "the first key is not found");
}

// A connection's requests, one after the other. `piece` says how long each piece is.
template <class Piece>
Verdict Read(std::string_view bytes, const Piece& piece) {
  Verdict verdict;
  std::optional<RequestReader> reader;
  while (!bytes.empty()) {
    std::string_view part = bytes.substr(0, piece());
    bytes.remove_prefix(part.size());
    while (!part.empty()) {
      if (!reader) reader.emplace(kLimits);
      const std::size_t taken = reader->Feed(part);
      Require(taken <= part.size(), "more was taken than there was");
      part.remove_prefix(taken);
      if (reader->refusal()) {
        verdict.refused = reader->refusal()->status;
        return verdict;
      }
      if (!reader->done()) {
        Require(part.empty(), "what was not whole left bytes");
        break;
      }
      Check(reader->request());
      verdict.requests.push_back(reader->request());
      reader.reset();
    }
  }
  return verdict;
}

}  // namespace

void FuzzRequest(std::string_view bytes) {
  const Verdict whole = Read(bytes, [&] { return bytes.size(); });
  RequireSame(whole, Read(bytes, [] { return std::size_t{1}; }),
              "a byte at a time is not the same");
  std::minstd_rand random(static_cast<unsigned>(bytes.size()) + 1);
  RequireSame(whole, Read(bytes, [&] { return std::size_t{1 + random() % 9}; }),
              "pieces are not the same");
}

}  // namespace rpcbench
