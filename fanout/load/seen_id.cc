#include "fanout/load/seen_id.h"

#include <charconv>
#include <optional>

namespace rpcbench {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// The number in a prefix such as "1700000000:", with what follows it.
struct NumberedPrefix {
  std::uint64_t number = 0;
  std::string_view separator;
};

std::optional<NumberedPrefix> ParsePrefix(std::string_view prefix) {
  NumberedPrefix parsed;
  const char* const end = prefix.data() + prefix.size();
  const auto result = std::from_chars(prefix.data(), end, parsed.number);
  if (result.ec != std::errc{}) return std::nullopt;
  parsed.separator = prefix.substr(static_cast<std::size_t>(result.ptr - prefix.data()));
  return parsed;
}

}  // namespace

SeenId::SeenId(std::string_view text) : text_(text), digits_at_(text.size()) {
  while (digits_at_ > 0 && IsDigit(text_[digits_at_ - 1])) --digits_at_;
  const char* const end = text_.data() + text_.size();
  // Digits beyond 64 bits are no number but a name.
  if (std::from_chars(text_.data() + digits_at_, end, number_).ec != std::errc{}) {
    digits_at_ = text_.size();
  }
}

std::partial_ordering SeenId::Compare(const SeenId& other) const {
  if (!has_number() || !other.has_number()) {
    return !empty() && text_ == other.text_ ? std::partial_ordering::equivalent
                                            : std::partial_ordering::unordered;
  }
  if (prefix() == other.prefix()) return number_ <=> other.number_;
  const auto mine = ParsePrefix(prefix());
  const auto theirs = ParsePrefix(other.prefix());
  if (!mine || !theirs || mine->separator != theirs->separator) {
    return std::partial_ordering::unordered;
  }
  return mine->number <=> theirs->number;
}

}  // namespace rpcbench
