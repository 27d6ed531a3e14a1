// The ids of a topic's events, as they travel to a client and back in Last-Event-ID.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rpcbench {

struct EventId {
  std::string topic;
  std::uint64_t number = 0;

  friend bool operator==(const EventId&, const EventId&) = default;
};

// "likes7-123".
std::string ToString(const EventId& id);

// Nothing unless `text` is what ToString makes: the number behind the last "-" is decimal, without
// sign or leading zeros, and fits 64 bits; the topic is not empty.
std::optional<EventId> ParseEventId(std::string_view text);

}  // namespace rpcbench
