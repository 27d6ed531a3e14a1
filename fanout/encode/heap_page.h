// The page of the heap rows: 57 KB of HTML, of which five rows change from one frame to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace rpcbench {

inline constexpr std::size_t kHeapPageBytes = 57'000;
inline constexpr int kChangedRows = 5;

// A table of stations with names, words, numbers and times. One thread. The same seed gives the
// same pages on every machine.
class HeapPage final {
 public:
  explicit HeapPage(std::uint64_t seed);

  // Gives five rows, all different, new numbers and a later time.
  void Change();

  // Appends the page as one event of a stream: "data: ", one line of HTML, and a blank line.
  void Render(std::string& out) const;

 private:
  struct Row {
    std::string before;  // what never changes: rank, name
    std::string note;
    std::uint32_t readings;
    std::uint32_t tenths;  // of a percent
    std::int32_t change;   // in hundredths
    std::uint32_t second;  // of the day
  };

  std::uint64_t Below(std::uint64_t limit) { return engine_() % limit; }
  Row MakeRow(std::size_t rank);
  void Measure(Row& row);
  static void Append(const Row& row, std::string& out);

  std::mt19937_64 engine_;
  std::uint32_t now_ = 8 * 3600;  // second of the day
  std::vector<Row> rows_;
};

}  // namespace rpcbench
