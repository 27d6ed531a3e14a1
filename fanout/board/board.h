// The shared board's state and how it looks: cards whose counts go up, as one piece of HTML.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rpcbench {

inline constexpr int kCards = 200;

// What benchmarks show from, and their first event's id: a board that has been in use for a while.
// Else counts and ids would get their second and third digit within the window, and each new digit
// moves all that follows it.
inline constexpr std::int64_t kUsedFrom = 1000;
inline constexpr std::uint64_t kUsedVersion = 1'000'001;

// One thread. 200 cards render to 137 to 141 KB without a line's end, so that a board is one line
// of an event. Each card is an element with data-card="N", and in it one with class="count".
class Board final {
 public:
  // All counts are 0; a rendering shows `shown_from` more. The same seed gives the same titles,
  // words and tags on every machine.
  explicit Board(std::uint64_t seed, int cards = kCards, std::int64_t shown_from = 0);

  // `card` is in [0, cards()).
  void Increment(int card) { ++counts_[static_cast<std::size_t>(card)]; }
  void Set(int card, std::int64_t count) { counts_[static_cast<std::size_t>(card)] = count; }

  std::int64_t count(int card) const { return counts_[static_cast<std::size_t>(card)]; }
  int cards() const { return static_cast<int>(counts_.size()); }

  // Appends to `out`. Only the counts are made anew: some tens of microseconds.
  void Render(std::string& out) const;

 private:
  std::vector<std::string> before_count_;  // what comes before each card's count
  std::string after_last_;
  std::vector<std::int64_t> counts_;
  std::int64_t shown_from_;
  std::size_t fixed_bytes_ = 0;  // of a rendering, without the counts
};

}  // namespace rpcbench
