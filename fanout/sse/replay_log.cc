#include "fanout/sse/replay_log.h"

#include <algorithm>
#include <utility>

#include "echo/error.h"
#include "fanout/sse/event_id.h"

namespace rpcbench {

ReplayLog::ReplayLog(std::string topic, const ReplayBounds& bounds, std::uint64_t base)
    : topic_(std::move(topic)), bounds_(bounds), gone_through_(base), last_(base) {
  static constexpr std::string_view kForbidden("\r\n\0", 3);
  if (topic_.empty() || topic_.find_first_of(kForbidden) != std::string::npos) {
    throw Error("a topic's name is empty or has CR, LF or NUL: its ids could not be sent");
  }
}

void ReplayLog::Append(std::uint64_t number, ChunkRef event) {
  bytes_ += event->body().size();
  log_.push_back({number, std::move(event)});
  last_ = number;
  while (log_.size() > bounds_.events || bytes_ > bounds_.bytes) {
    bytes_ -= log_.front().event->body().size();
    gone_through_ = log_.front().number;
    log_.pop_front();
  }
}

std::deque<LoggedEvent>::const_iterator ReplayLog::FirstAfter(std::uint64_t number) const {
  return std::upper_bound(
      log_.begin(), log_.end(), number,
      [](std::uint64_t wanted, const LoggedEvent& event) { return wanted < event.number; });
}

bool ReplayLog::Knows(std::uint64_t number) const {
  if (number == gone_through_) return true;
  const auto next = FirstAfter(number);
  return next != log_.begin() && std::prev(next)->number == number;
}

std::optional<std::vector<LoggedEvent>> ReplayLog::After(std::uint64_t number) const {
  if (number < gone_through_) return std::nullopt;
  return std::vector<LoggedEvent>(FirstAfter(number), log_.end());
}

std::optional<std::vector<LoggedEvent>> ReplayLog::Since(std::string_view last_event_id) const {
  const auto id = ParseEventId(last_event_id);
  if (!id || id->topic != topic_ || !Knows(id->number)) return std::nullopt;
  return After(id->number);
}

std::string ReplayLog::IdOf(std::uint64_t number) const {
  return ToString(EventId{.topic = topic_, .number = number});
}

}  // namespace rpcbench
