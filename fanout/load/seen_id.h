// The order of events' ids as streams show them, where they have one.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

// An id is a number with something before it, which may be nothing: "812", "board-812", or nchan's
// "1700000000:3". Behind different prefixes numbers do not compare, unless the prefixes are numbers
// too. Values; one thread.
class SeenId final {
 public:
  SeenId() = default;
  explicit SeenId(std::string_view text);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  // Unordered: nothing can be said, as of an id without a number, or of another server's.
  std::partial_ordering Compare(const SeenId& other) const;

 private:
  std::string_view prefix() const { return std::string_view(text_).substr(0, digits_at_); }
  bool has_number() const { return digits_at_ < text_.size(); }

  std::string text_;
  std::size_t digits_at_ = 0;  // where the last digits begin
  std::uint64_t number_ = 0;
};

}  // namespace rpcbench
