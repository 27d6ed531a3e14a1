#include "fanout/load/event_order.h"

namespace rpcbench {

void EventOrder::Take(const SeenEvent& event, const PieceRef& piece, StreamTally& tally) {
  if (event.reset) ++tally.resets;
  // Nothing before a reset counts any more.
  const bool first = last_ == nullptr || last_->reset || event.reset;
  if (!first && !IsAfterLast(event, tally)) ++tally.disorder;
  reconnected_ = false;
  if (piece_ != piece) piece_ = piece;
  last_ = &event;
}

bool EventOrder::IsAfterLast(const SeenEvent& event, StreamTally& tally) const {
  if (event.number && last_->number) {
    if (*event.number > *last_->number) tally.gaps += *event.number - *last_->number - 1;
    return *event.number > *last_->number || (reconnected_ && *event.number == *last_->number);
  }
  const auto order = event.id.Compare(last_->id);
  return order == std::partial_ordering::greater || order == std::partial_ordering::unordered ||
         (reconnected_ && order == std::partial_ordering::equivalent);
}

}  // namespace rpcbench
