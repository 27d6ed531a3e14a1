#include "echo/hold_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rpcbench {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

}  // namespace

HoldMeter::HoldMeter() : least_ns_(kNone), bins_(kBins) {}

void HoldMeter::Enter(std::int64_t requests) {
  const std::int64_t now = in_flight_.fetch_add(requests, kRelaxed) + requests;
  std::int64_t peak = peak_.load(kRelaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, kRelaxed)) {
  }
}

void HoldMeter::Note(std::chrono::nanoseconds held) {
  const std::int64_t ns = std::max<std::int64_t>(held.count(), 0);
  const auto bin = std::min<std::size_t>(static_cast<std::size_t>(ns / kBinNs), kBins - 1);
  bins_[bin].fetch_add(1, kRelaxed);
  std::int64_t least = least_ns_.load(kRelaxed);
  while (ns < least && !least_ns_.compare_exchange_weak(least, ns, kRelaxed)) {
  }
  std::int64_t most = most_ns_.load(kRelaxed);
  while (ns > most && !most_ns_.compare_exchange_weak(most, ns, kRelaxed)) {
  }
}

void HoldMeter::Drop(std::int64_t requests) {
  in_flight_.fetch_sub(requests, kRelaxed);
}

void HoldMeter::Reset() {
  for (auto& bin : bins_) bin.store(0, kRelaxed);
  least_ns_.store(kNone, kRelaxed);
  most_ns_.store(0, kRelaxed);
  peak_.store(in_flight_.load(kRelaxed), kRelaxed);
}

HoldReport HoldMeter::Report() const {
  HoldReport report;
  for (const auto& bin : bins_) report.calls += bin.load(kRelaxed);
  report.peak_in_flight = peak_.load(kRelaxed);
  if (report.calls == 0) return report;
  report.least = std::chrono::nanoseconds(least_ns_.load(kRelaxed));
  report.most = std::chrono::nanoseconds(most_ns_.load(kRelaxed));
  report.p50 = Percentile(0.50, report.calls);
  report.p99 = Percentile(0.99, report.calls);
  return report;
}

std::chrono::nanoseconds HoldMeter::Percentile(double fraction, std::uint64_t calls) const {
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(calls)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    seen += bins_[bin].load(kRelaxed);
    if (seen >= rank) {
      return std::chrono::nanoseconds(static_cast<std::int64_t>(bin + 1) * kBinNs);
    }
  }
  return std::chrono::nanoseconds(most_ns_.load(kRelaxed));
}

}  // namespace rpcbench
