// What one stream still has to be sent, and what happens when that is too much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "fanout/sse/replay_log.h"

namespace rpcbench {

enum class OverflowPolicy {
  // A newer event takes the place of the waiting one of the same topic and key, full or not; so a
  // queue holds one event a key (a topic without keys: one). Full of other keys it evicts: to leave
  // out a key's newest would show a wrong state for good.
  kNewestReplaces,
  kDropAndCount,  // a full queue takes no more until it was pulled from
  kEvict,         // a full queue closes the stream, which comes back with its Last-Event-ID
};

enum class Admission { kQueued, kReplaced, kDropped, kEvict };

// One thread. Only by reference to shared events: a stream's memory is about 24 bytes an event.
class EventQueue final {
 public:
  EventQueue(OverflowPolicy policy, std::size_t max_events)
      : policy_(policy), max_events_(max_events) {}

  // What a stream begins with, in order of number: a replay or a snapshot. It has bounds of its own
  // and does not count against this queue's.
  void Preload(LoggedEvent event);

  // `event` has a number above all here. `previous`: the number of the event of the same topic and
  // key before this one, or 0. On kDropped and kEvict nothing was taken.
  Admission Offer(const LoggedEvent& event, std::uint64_t previous);

  // Moves the text of waiting events, oldest first, behind `text`: at least one, further ones while
  // `text` stays within `max_bytes`. Returns how many.
  std::uint32_t Take(std::size_t max_bytes, std::string& text);
  // The oldest event. Not if empty.
  ChunkRef TakeOne();

  void Clear() { waiting_.clear(); }
  bool empty() const { return waiting_.empty(); }
  std::size_t size() const { return waiting_.size(); }

 private:
  bool Remove(std::uint64_t number);
  std::size_t Live() const;

  const OverflowPolicy policy_;
  const std::size_t max_events_;
  std::deque<LoggedEvent> waiting_;   // by number
  std::size_t preloaded_ = 0;         // of these, how many at the front came by Preload
  std::uint64_t last_preloaded_ = 0;  // the number of the last of them
};

}  // namespace rpcbench
