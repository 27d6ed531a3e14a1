#include "fanout/sse/fuzz_cases.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "echo/error.h"
#include "fanout/sse/event.h"
#include "fanout/sse/event_recorder.h"
#include "fanout/sse/negotiate.h"
#include "fanout/sse/parser.h"
#include "fanout/sse/utf8.h"
#include "fuzz/require.h"

namespace rpcbench {
namespace {

struct Parsed {
  std::vector<RecordedEvent> events;
  std::vector<std::int64_t> retries;
  std::string last_id;
  bool over_a_bound = false;

  friend bool operator==(const Parsed&, const Parsed&) = default;
};

// Small bounds, so that inputs of a fuzzer's size pass them. `piece` says how long each piece is.
template <class Piece>
Parsed Parse(std::string_view bytes, const Piece& piece) {
  EventRecorder recorder;
  EventParser parser(recorder, {.max_line = 300, .max_event = 500});
  Parsed parsed;
  try {
    while (!bytes.empty()) {
      const std::size_t size = std::min<std::size_t>(piece(), bytes.size());
      parser.Feed(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
  } catch (const Error&) {
    parsed.over_a_bound = true;
  }
  parsed.events = recorder.events();
  parsed.retries = recorder.retries();
  parsed.last_id = parser.last_event_id();
  return parsed;
}

bool GoodUtf8(std::string_view text) {
  std::string decoded;
  AppendUtf8(text, decoded);
  return decoded == text;
}

void RequireArrivesAgain(const RecordedEvent& event) {
  // A CR that the format cannot carry does not come out of the parser either, and an id or a name
  // with NUL is refused: ids with it do not come out, names do.
  if (event.name.find('\0') != std::string::npos) return;
  std::string bytes;
  AppendEvent({.id = event.id, .name = event.name, .data = event.data}, bytes);
  EventRecorder recorder;
  EventParser(recorder).Feed(bytes);
  Require(recorder.events() == std::vector{event}, "an event that is written arrives as it was");
}

}  // namespace

void FuzzParser(std::string_view bytes) {
  const Parsed whole = Parse(bytes, [&] { return bytes.size(); });
  Require(whole == Parse(bytes, [] { return 1; }), "a byte at a time is the same");
  std::minstd_rand random(static_cast<unsigned>(bytes.size()) + 1);
  Require(whole == Parse(bytes, [&] { return 1 + random() % 7; }), "pieces are the same");
  for (const RecordedEvent& event : whole.events) {
    Require(GoodUtf8(event.id) && GoodUtf8(event.name) && GoodUtf8(event.data), "good UTF-8");
    RequireArrivesAgain(event);
  }
}

void FuzzNegotiate(std::string_view header) {
  const auto chosen = Negotiate(header);
  for (const char* token : {"identity", "br", "zstd"}) {
    const auto with_refusal = Negotiate(std::string(header) + "," + token + ";q=0");
    Require(!with_refusal || TokenOf(*with_refusal) != std::string_view(token),
            "what is refused is not chosen");
    if (chosen && TokenOf(*chosen) != std::string_view(token)) {
      Require(with_refusal == chosen, "to refuse what was not chosen changes nothing");
    }
  }
}

}  // namespace rpcbench
