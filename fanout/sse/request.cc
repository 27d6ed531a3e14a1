// Beast parses each element once it is whole: header lines and chunk lines are gathered here, with
// limits that hold however the bytes come. (Beast applies its header limit to each piece anew, has
// none for chunk extensions and trailers, and in 1.74 asserts if the last chunk comes in pieces.)
#include "fanout/sse/request.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstdint>
#include <string>

namespace rpcbench {
namespace {

namespace http = boost::beast::http;
using ErrorCode = boost::beast::error_code;
using Text = boost::beast::string_view;

constexpr HttpRefusal kMalformed{400, "", "malformed HTTP\n"};
constexpr HttpRefusal kNoHost{400, "", "no Host field\n"};
constexpr HttpRefusal kBadTarget{400, "", "the request target is no path\n"};
constexpr HttpRefusal kNotAllowed{405, "Allow: GET, HEAD, POST\r\n",
                                  "the methods are GET, HEAD, POST\n"};
constexpr HttpRefusal kBodyTooLarge{413, "", "the body is over the limit\n"};
constexpr HttpRefusal kBadEncoding{415, "Accept-Encoding: identity\r\n",
                                   "bodies are not encoded\n"};
constexpr HttpRefusal kBadExpectation{417, "", "the only expectation is 100-continue\n"};
constexpr HttpRefusal kHeaderTooLarge{431, "", "the header is over the limit\n"};
constexpr HttpRefusal kUnknownMethod{501, "", "unknown method\n"};
constexpr HttpRefusal kBadCoding{501, "", "the only transfer coding is chunked\n"};

std::string_view View(Text text) {
  return {text.data(), text.size()};
}

// Beast's parser with handlers that keep the few fields which a site sees.
class Parser final : public http::basic_parser<true> {
 public:
  explicit Parser(const RequestLimits& limits) {
    header_limit(static_cast<std::uint32_t>(limits.header));
    body_limit(limits.body);
  }

  HttpRequest request;
  http::verb method = http::verb::unknown;
  int version = 11;
  bool expects_continue = false;
  std::uint64_t chunk_left = 0;  // bytes of the chunk that was begun

  // Why the header alone is refused, or null.
  const HttpRefusal* Refuse() const {
    if (other_coding_) return &kBadCoding;
    if (version == 11 && !has_host_) return &kNoHost;
    if (method == http::verb::unknown) return &kUnknownMethod;
    if (method != http::verb::get && method != http::verb::head && method != http::verb::post) {
      return &kNotAllowed;
    }
    if (!request.path.starts_with('/')) return &kBadTarget;
    if (encoded_) return &kBadEncoding;
    return other_expectation_ ? &kBadExpectation : nullptr;
  }

 private:
  void on_request_impl(http::verb verb, Text name, Text target, int number, ErrorCode&) override {
    method = verb;
    version = number;
    request.method = verb == http::verb::head ? "GET" : std::string(View(name));
    std::string_view path = View(target);
    if (path.starts_with("http://") || path.starts_with("https://")) {  // as proxies are asked
      path.remove_prefix(path.find("://") + 3);
      path.remove_prefix(std::min(path.find('/'), path.size()));
    }
    const auto question = path.find('?');
    request.path = path.substr(0, question);
    if (question != std::string_view::npos) request.query = path.substr(question + 1);
  }

  void on_field_impl(http::field name, Text text, Text value, ErrorCode&) override {
    if (is_header_done()) return;  // a trailer's
    switch (name) {
      case http::field::host:
        has_host_ = true;
        break;
      case http::field::accept_encoding:
        if (request.has_accept_encoding) request.accept_encoding += ", ";
        request.accept_encoding += View(value);
        request.has_accept_encoding = true;
        break;
      case http::field::content_type:
        request.content_type = View(value);
        break;
      case http::field::content_encoding:
        encoded_ = !boost::beast::iequals(value, "identity");
        break;
      case http::field::transfer_encoding:
        other_coding_ = !boost::beast::iequals(value, "chunked");
        break;
      case http::field::expect:
        expects_continue = boost::beast::iequals(value, "100-continue");
        other_expectation_ = !expects_continue;
        break;
      case http::field::unknown:
        if (boost::beast::iequals(text, "Last-Event-ID")) request.last_event_id = View(value);
        break;
      default:
        break;
    }
  }

  std::size_t on_body_impl(Text body, ErrorCode&) override {
    request.body += View(body);
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t size, Text, ErrorCode&) override { chunk_left = size; }
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, ErrorCode&) override {
    request.body += View(body);
    chunk_left -= body.size();
    return body.size();
  }
  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  void on_finish_impl(ErrorCode&) override {}

  bool has_host_ = false;
  bool encoded_ = false;
  bool other_coding_ = false;
  bool other_expectation_ = false;
};

}  // namespace

class RequestReader::Impl final {
 public:
  explicit Impl(const RequestLimits& limits)
      : parser(limits),
        header_limit_(limits.header),
        chunked_left_(2 * limits.body + limits.header) {}

  Parser parser;
  const HttpRefusal* refusal = nullptr;

  bool over() const { return refusal || parser.is_done(); }
  bool started() const { return parser.got_some() || !gathered_.empty(); }

  // Each takes from the front of `bytes` what it could use.
  void FeedHeader(std::string_view& bytes) {
    while (!bytes.empty() && !over() && !parser.is_header_done()) {
      const bool whole_line = Gather(bytes, header_limit_ - gathered_.size(), kHeaderTooLarge);
      if (!whole_line || refusal) return;
      if (gathered_ == "\r\n") {  // allowed before a request line
        gathered_.clear();
      } else if (gathered_.ends_with("\r\n\r\n")) {
        Put(gathered_);
        gathered_ = {};
        if (!refusal && !parser.is_header_done()) refusal = &kMalformed;
        if (!refusal) refusal = parser.Refuse();
      }
    }
  }

  void FeedBody(std::string_view& bytes) {
    if (!parser.chunked()) {
      bytes.remove_prefix(Put(bytes));
      return;
    }
    while (!bytes.empty() && !over()) {
      if (parser.chunk_left > 0) {
        const std::size_t taken = Put(bytes.substr(0, chunked_left_));
        Spend(taken);
        bytes.remove_prefix(taken);
      } else if (Gather(bytes, chunked_left_, kBodyTooLarge)) {
        gathered_.erase(0, Put(gathered_));  // all or nothing: the last chunk waits for its trailer
      }
    }
  }

 private:
  // Moves a line, or the piece of it that is there, to gathered_; true if it is whole.
  bool Gather(std::string_view& bytes, std::size_t limit, const HttpRefusal& too_large) {
    const auto end = bytes.find('\n');
    const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
    if (size > limit) {
      refusal = &too_large;
      return false;
    }
    gathered_ += bytes.substr(0, size);
    bytes.remove_prefix(size);
    if (parser.is_header_done()) Spend(size);
    if (!parser.is_header_done() && !CanStart(gathered_.front())) refusal = &kMalformed;
    if (end == std::string_view::npos || refusal) return false;
    if (!gathered_.ends_with("\r\n")) refusal = &kMalformed;
    return !refusal;
  }

  // So that who speaks TLS or another protocol here is told at once.
  static bool CanStart(char first) { return (first > ' ' && first < 0x7f) || first == '\r'; }

  void Spend(std::size_t bytes) {
    chunked_left_ -= bytes;
    if (chunked_left_ == 0 && !over()) refusal = &kBodyTooLarge;
  }

  std::size_t Put(std::string_view bytes) {
    ErrorCode error;
    const std::size_t taken = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error && error != http::error::need_more) {
      refusal = error == http::error::body_limit     ? &kBodyTooLarge
                : error == http::error::header_limit ? &kHeaderTooLarge
                                                     : &kMalformed;
    }
    return taken;
  }

  const std::size_t header_limit_;
  std::size_t chunked_left_;  // bytes that a chunked body may still take, its framing included
  std::string gathered_;
};

RequestReader::RequestReader(const RequestLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

std::size_t RequestReader::Feed(std::string_view bytes) {
  const std::size_t size = bytes.size();
  impl_->FeedHeader(bytes);
  if (!bytes.empty() && impl_->parser.is_header_done() && !impl_->over()) impl_->FeedBody(bytes);
  return size - bytes.size();
}

bool RequestReader::done() const {
  return !impl_->refusal && impl_->parser.is_done();
}
const HttpRefusal* RequestReader::refusal() const {
  return impl_->refusal;
}
bool RequestReader::started() const {
  return impl_->started();
}
bool RequestReader::expects_continue() const {
  const Parser& parser = impl_->parser;
  return !impl_->over() && parser.is_header_done() && parser.expects_continue &&
         parser.version == 11;
}
const HttpRequest& RequestReader::request() const {
  return impl_->parser.request;
}
bool RequestReader::head() const {
  return impl_->parser.method == http::verb::head;
}
int RequestReader::version() const {
  return impl_->parser.version;
}
bool RequestReader::keep_alive() const {
  return impl_->parser.keep_alive();
}

}  // namespace rpcbench
