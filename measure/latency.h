// Samples kept whole, and exact percentiles of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rpcbench {

// Latencies of one connection's calls, 8 bytes each. Room is made before anything is timed; nothing
// is dropped: what does not fit makes overflowed() true, and the row invalid.
class LatencyLog final {
 public:
  // Makes room for `capacity` samples and forgets those there are.
  void Reset(std::size_t capacity) {
    samples_.clear();
    samples_.reserve(capacity);
    overflowed_ = false;
  }

  void Add(std::chrono::nanoseconds latency) {
    if (samples_.size() == samples_.capacity())
      overflowed_ = true;
    else
      samples_.push_back(latency.count());
  }

  bool overflowed() const { return overflowed_; }
  std::span<const std::int64_t> samples() const { return samples_; }

 private:
  std::vector<std::int64_t> samples_;  // ns
  bool overflowed_ = false;
};

// The fractions that are reported. A label is made from the number that was computed:
// LabelOf(0.999) is "p999".
inline constexpr double kFractions[] = {0.50, 0.75, 0.90, 0.95, 0.99, 0.999};

// "p50", "p999": the digits after the point, without trailing zeros but at least two.
std::string LabelOf(double fraction);

// All samples of a row, merged and sorted once.
class LatencySet final {
 public:
  void Merge(const LatencyLog& log);
  // Sorts; call it once, after the last Merge and before the rest.
  void Sort();

  std::size_t count() const { return samples_.size(); }
  std::chrono::duration<double> Mean() const;
  std::chrono::duration<double> Min() const;
  std::chrono::duration<double> Max() const;
  // Nearest rank: the least sample that at least `fraction` of all are not above. Zero without
  // samples, as the others.
  std::chrono::duration<double> Percentile(double fraction) const;
  // How many of the samples are below `limit`, of 1.
  double ShareBelow(std::chrono::nanoseconds limit) const;

 private:
  std::vector<std::int64_t> samples_;
};

}  // namespace rpcbench
