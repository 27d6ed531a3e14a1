#include "measure/latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rpcbench {
namespace {

std::chrono::duration<double> Seconds(double ns) {
  return std::chrono::duration<double>(ns * 1e-9);
}

}  // namespace

std::string LabelOf(double fraction) {
  std::string digits = fmt::format("{:.6f}", fraction).substr(2);
  while (digits.size() > 2 && digits.back() == '0') digits.pop_back();
  return "p" + digits;
}

void LatencySet::Merge(const LatencyLog& log) {
  samples_.insert(samples_.end(), log.samples().begin(), log.samples().end());
}

void LatencySet::Sort() {
  std::sort(samples_.begin(), samples_.end());
}

std::chrono::duration<double> LatencySet::Mean() const {
  if (samples_.empty()) return {};
  // Nanoseconds of 100 million calls of a minute each still fit in 63 bits.
  const auto sum = std::accumulate(samples_.begin(), samples_.end(), std::int64_t{0});
  return Seconds(static_cast<double>(sum) / static_cast<double>(samples_.size()));
}

std::chrono::duration<double> LatencySet::Min() const {
  return samples_.empty() ? Seconds(0) : Seconds(static_cast<double>(samples_.front()));
}

std::chrono::duration<double> LatencySet::Max() const {
  return samples_.empty() ? Seconds(0) : Seconds(static_cast<double>(samples_.back()));
}

std::chrono::duration<double> LatencySet::Percentile(double fraction) const {
  if (samples_.empty()) return {};
  const auto count = static_cast<double>(samples_.size());
  // The product of, say, 0.95 and 100 may come out a hair above 95: that is not rank 96.
  const double rank = std::ceil(fraction * count - 1e-9 * count);
  const auto index = static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1;
  return Seconds(static_cast<double>(samples_[index]));
}

double LatencySet::ShareBelow(std::chrono::nanoseconds limit) const {
  if (samples_.empty()) return 0;
  const auto end = std::lower_bound(samples_.begin(), samples_.end(), limit.count());
  return static_cast<double>(end - samples_.begin()) / static_cast<double>(samples_.size());
}

}  // namespace rpcbench
