// Whether a stream's events come in order, over all its connections.
#pragma once

#include "fanout/load/references.h"
#include "fanout/load/tally.h"

namespace rpcbench {

// One thread.
class EventOrder final {
 public:
  // `event` is the next one, in `piece`.
  void Take(const SeenEvent& event, const PieceRef& piece, StreamTally& tally);

  // The stream lost its connection: what comes first on the next one may be what it had last.
  void Reconnect() { reconnected_ = true; }

  // The last event, or null before the first one.
  const SeenEvent* last() const { return last_; }

 private:
  bool IsAfterLast(const SeenEvent& event, StreamTally& tally) const;

  PieceRef piece_;  // keeps last_
  const SeenEvent* last_ = nullptr;
  bool reconnected_ = false;
};

}  // namespace rpcbench
