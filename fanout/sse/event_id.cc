#include "fanout/sse/event_id.h"

#include <charconv>

namespace rpcbench {

std::string ToString(const EventId& id) {
  return id.topic + "-" + std::to_string(id.number);
}

std::optional<EventId> ParseEventId(std::string_view text) {
  const auto dash = text.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const std::string_view digits = text.substr(dash + 1);
  if (digits.empty() || (digits[0] == '0' && digits.size() > 1)) return std::nullopt;
  EventId id{.topic = std::string(text.substr(0, dash))};
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, id.number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return id;
}

}  // namespace rpcbench
