// Readers of what comes over a socket or a pipe.
#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "frameworks/asio/codecs.h"
#include "frameworks/asio/frame.h"
#include "frameworks/beast/request_parser.h"
#include "frameworks/beast/ws_frames.h"
#include "fuzz/require.h"
#include "fuzz/targets.h"
#include "server/control.h"
#include "server/report.h"

namespace rpcbench {
namespace {

constexpr std::size_t kHeaderLimit = 8192;
constexpr std::size_t kBodyLimit = 64 << 10;

struct HttpOutcome {
  bool failed = false;
  bool done = false;
  bool refused = false;
  std::string body;

  bool operator==(const HttpOutcome&) const = default;
};

// One request, given in pieces of `step` bytes; what a piece leaves is given again with the next.
HttpOutcome ReadRequest(std::string_view bytes, std::size_t step) {
  std::string scratch;
  RequestParser parser(kHeaderLimit, kBodyLimit, scratch);
  HttpOutcome outcome;
  std::size_t begin = 0, end = 0;
  while (!parser.is_done() && !outcome.failed && end < bytes.size()) {
    end = std::min(bytes.size(), end + step);
    for (std::size_t taken = 1; taken > 0 && begin < end && !parser.is_done();) {
      RequestParser::ErrorCode error;
      taken = parser.Feed(bytes.substr(begin, end - begin), error);
      begin += taken;
      outcome.failed = static_cast<bool>(error);
      if (outcome.failed) break;
    }
  }
  Require(begin <= bytes.size(), "the parser took more than there was");
  outcome.done = parser.is_done() && !outcome.failed;
  if (!outcome.done) return outcome;
  outcome.refused = parser.Refuse() != nullptr;
  outcome.body = parser.body();
  return outcome;
}

}  // namespace

void FuzzAsioFrame(std::string_view bytes) {
  Frame frame;
  RawCodec codec;
  while (ReadFrame(bytes, frame) == FrameStatus::kWhole) {
    Require(frame.size <= bytes.size() && frame.size >= kFrameHead, "a frame beyond its bytes");
    RecordView view;
    if (codec.View(frame.body, view)) {
      std::string again;
      codec.Write(view, again);
      Require(again == frame.body, "a raw record is not written as it was read");
    }
    bytes.remove_prefix(frame.size);
  }
}

void FuzzJsonRecord(std::string_view bytes) {
  Record record;
  if (!ParseJson(bytes, record)) return;
  std::string text;
  AppendJson(record, text);
  Record again;
  Require(ParseJson(text, again), "our own JSON is not read");
  Require(SameRecord(record, again, NanRule::kAnyNan), "JSON changes a record");
}

void FuzzHttpRequest(std::string_view bytes) {
  const HttpOutcome whole = ReadRequest(bytes, bytes.size() + 1);
  const HttpOutcome halves = ReadRequest(bytes, bytes.size() / 2 + 1);
  Require(!whole.done || !halves.done || whole == halves, "pieces change what a request says");
}

void FuzzWsFrames(std::string_view bytes) {
  constexpr std::size_t kMaxMessage = 4096, kMaxBytes = 8192;
  while (!bytes.empty()) {
    const WsScan scan = ScanWs(bytes, kMaxMessage, kMaxBytes);
    Require(scan.size <= bytes.size(), "a message beyond its bytes");
    if (scan.unit == WsUnit::kPartial || scan.unit == WsUnit::kEnding) return;
    Require(scan.size > 0, "a message of no bytes");
    if (scan.unit == WsUnit::kPing || scan.unit == WsUnit::kPong) {
      Require(WsPayload(bytes.substr(0, scan.size)).size() <= 125, "a long control frame");
    }
    bytes.remove_prefix(scan.size);
  }
}

void FuzzServerExchange(std::string_view bytes) {
  const std::string line(bytes);
  try {
    ParseHello(line);
  } catch (const Error&) {
    // What it is for.
  }
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded()) return;
  try {
    ServerReportFrom(json);
  } catch (const nlohmann::json::exception&) {
    // As it says.
  }
}

}  // namespace rpcbench
