#include "fanout/sse/event_queue.h"

#include <algorithm>
#include <utility>

namespace rpcbench {

void EventQueue::Preload(LoggedEvent event) {
  last_preloaded_ = event.number;
  waiting_.push_back(std::move(event));
  ++preloaded_;
}

Admission EventQueue::Offer(const LoggedEvent& event, std::uint64_t previous) {
  const bool replaced =
      policy_ == OverflowPolicy::kNewestReplaces && previous != 0 && Remove(previous);
  if (!replaced && Live() >= max_events_) {
    return policy_ == OverflowPolicy::kDropAndCount ? Admission::kDropped : Admission::kEvict;
  }
  waiting_.push_back(event);  // at the back, so that a client's last id stays true of all before
  return replaced ? Admission::kReplaced : Admission::kQueued;
}

std::uint32_t EventQueue::Take(std::size_t max_bytes, std::string& text) {
  std::uint32_t taken = 0;
  while (!waiting_.empty()) {
    const std::string_view next = waiting_.front().event->body();
    if (taken > 0 && text.size() + next.size() > max_bytes) break;
    text.append(next);
    TakeOne();
    ++taken;
  }
  return taken;
}

ChunkRef EventQueue::TakeOne() {
  ChunkRef event = std::move(waiting_.front().event);
  waiting_.pop_front();
  if (preloaded_ > 0) --preloaded_;
  return event;
}

std::size_t EventQueue::Live() const {
  return waiting_.size() - preloaded_;
}

bool EventQueue::Remove(std::uint64_t number) {
  const auto at = std::lower_bound(
      waiting_.begin(), waiting_.end(), number,
      [](const LoggedEvent& e, std::uint64_t wanted) { return e.number < wanted; });
  if (at == waiting_.end() || at->number != number) return false;
  if (preloaded_ > 0 && number <= last_preloaded_) --preloaded_;
  waiting_.erase(at);
  return true;
}

}  // namespace rpcbench
