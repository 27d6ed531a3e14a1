// The last events of one topic, for clients that come back with a Last-Event-ID.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/chunk.h"

namespace rpcbench {

struct ReplayBounds {
  std::size_t events = 1024;
  std::size_t bytes = 256 << 10;  // of the events' text; what one client can be sent on its return
};

struct LoggedEvent {
  std::uint64_t number = 0;
  ChunkRef event;  // one whole event as text, its id included
};

// One thread. Numbers grow but may have gaps: several topics may count together.
class ReplayLog final {
 public:
  // `base`: the number of a client that has seen all there was before the first event. Ids of an
  // earlier life of the server are refused if they lie below it. Throws Error if the topic's name
  // is empty or has a character that an id must not have.
  ReplayLog(std::string topic, const ReplayBounds& bounds, std::uint64_t base = 0);

  // `number` is above all before. The oldest leave while a bound is passed, in the end this one
  // too.
  void Append(std::uint64_t number, ChunkRef event);

  // Exactly what a client with this Last-Event-ID missed, in order. Nothing: that cannot be told,
  // and it has to be reset; the id is malformed, another topic's, or of no event of which all that
  // followed is still here.
  std::optional<std::vector<LoggedEvent>> Since(std::string_view last_event_id) const;

  // The same for a client that has seen all up to `number`, whichever topic's that was.
  std::optional<std::vector<LoggedEvent>> After(std::uint64_t number) const;

  // Whether `number` is an event of this topic that After can start from.
  bool Knows(std::uint64_t number) const;

  const std::string& topic() const { return topic_; }
  std::string IdOf(std::uint64_t number) const;
  std::uint64_t last() const { return last_; }  // the base if there was none
  std::size_t events() const { return log_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::deque<LoggedEvent>::const_iterator FirstAfter(std::uint64_t number) const;

  const std::string topic_;
  const ReplayBounds bounds_;
  std::deque<LoggedEvent> log_;
  std::size_t bytes_ = 0;
  std::uint64_t gone_through_;  // the newest that left, or the base
  std::uint64_t last_;
};

}  // namespace rpcbench
