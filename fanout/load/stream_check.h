// Checks the body of one connection, chunk by chunk.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/load/decode_budget.h"
#include "fanout/load/event_order.h"
#include "fanout/load/event_reader.h"
#include "fanout/load/references.h"
#include "fanout/load/tally.h"

namespace rpcbench {

// What the checks of all streams share. One thread; outlives them.
struct CheckContext {
  CheckContext(Codec stream_codec, double decode_share, std::chrono::nanoseconds late_after)
      : codec(stream_codec),
        late(late_after),
        references(MakeReferences(stream_codec)),
        budget(decode_share) {}

  const Codec codec;
  const std::chrono::nanoseconds late;
  std::unique_ptr<References> references;
  DecodeBudget budget;
  StreamTally tally;
  std::vector<PieceRef> pieces;  // of the chunk that is being checked
};

// Every byte is compared with the references. A stream that the budget has room for is decoded on
// its own besides, and must come to the same events: a check of the check.
class StreamCheck final {
 public:
  // `order` is the stream's, over all its connections. Both outlive the check.
  StreamCheck(CheckContext& context, EventOrder& order) : context_(context), order_(order) {}
  ~StreamCheck();
  StreamCheck(const StreamCheck&) = delete;
  StreamCheck& operator=(const StreamCheck&) = delete;

  // A chunk's body, received at `now` (CLOCK_MONOTONIC). Throws Error that says what is wrong with
  // it; what follows is passed over up to where checking can begin again, for zstd the next frame.
  void Take(std::string_view chunk, std::chrono::nanoseconds now);

  std::uint64_t events() const { return events_; }  // of this connection
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  void TakePiece(std::string_view bytes, std::chrono::nanoseconds now);
  bool BeginsHere(std::string_view bytes) const;
  std::string_view TakeFrameEnd(std::string_view bytes);
  Seen DecodeAlone(std::string_view bytes, bool begins);
  void CompareWith(const Seen& alone) const;
  void TakeEvent(const SeenEvent& event, const PieceRef& piece, std::chrono::nanoseconds now);

  CheckContext& context_;
  EventOrder& order_;
  BodyPlace place_;
  std::unique_ptr<EventReader> alone_;  // null: only compared
  std::string unfinished_;              // identity: chunks that do not end an event
  bool started_ = false;
  bool lost_ = false;
  std::uint64_t events_ = 0;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace rpcbench
