// What repeats of a row say: how sure its median is, and whether two runs differ.
#pragma once

#include <optional>
#include <vector>

namespace rpcbench {

struct Interval {
  double low = 0;
  double high = 0;

  bool Touches(const Interval& other) const { return low <= other.high && other.low <= high; }
};

// Where the median lies with a confidence of 95 %, by the percentile bootstrap: medians of 2,000
// resamples with replacement, between their 2.5th and 97.5th percentile. The resamples are drawn
// from a fixed seed, so that the same values give the same interval. Nothing for fewer than three
// values, which say nothing about their spread.
std::optional<Interval> MedianInterval(const std::vector<double>& values);

// The probability that two samples of one distribution differ in rank by as much as these or more:
// Mann and Whitney's U, two-sided. Exact for up to 400 pairs without ties, otherwise by the normal
// approximation with its corrections for ties and continuity. Nothing where one is empty. With
// three against three it is never below 0.1, and with four against four 0.029.
std::optional<double> MannWhitney(const std::vector<double>& a, const std::vector<double>& b);

// Whether the values fall into two groups: at least a fifth of them, and two, on either side of a
// gap that is wider than three times the range of either group. A median of such values is one of
// two speeds, and which one is luck. False for fewer than five values.
bool IsBimodal(std::vector<double> values);

}  // namespace rpcbench
