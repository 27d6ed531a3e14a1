// Counts how long a server held each request, and how many at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace rpcbench {

struct HoldReport {
  std::uint64_t calls = 0;            // replies released since the last Reset
  std::chrono::nanoseconds least{0};  // exact; 0 without calls
  std::chrono::nanoseconds p50{0};    // upper edge of a 10 us bin
  std::chrono::nanoseconds p99{0};    // upper edge of a 10 us bin
  std::chrono::nanoseconds most{0};   // exact
  std::int64_t peak_in_flight = 0;    // most requests held at once since the last Reset
};

// One a server. Every member may be called from any thread; a report taken while calls come and go
// is a momentary picture.
class HoldMeter final {
 public:
  HoldMeter();

  // So many requests were taken. Call it before their timers are armed, or before the next Leave or
  // Drop.
  void Enter(std::int64_t requests = 1);
  // Its reply is released now, `held` after Enter.
  void Leave(std::chrono::nanoseconds held) {
    Note(held);
    Drop();
  }
  // Only the held time of Leave, for one who releases many and then calls Drop for all.
  void Note(std::chrono::nanoseconds held);
  // So many requests are held no longer, replied to or not. Not a held time.
  void Drop(std::int64_t requests = 1);

  void Reset();
  HoldReport Report() const;

 private:
  static constexpr std::int64_t kBinNs = 10'000;
  static constexpr std::size_t kBins = 60'000;  // 600 ms; the last bin takes all that is longer

  std::chrono::nanoseconds Percentile(double fraction, std::uint64_t calls) const;

  std::atomic<std::int64_t> in_flight_{0};
  std::atomic<std::int64_t> peak_{0};
  std::atomic<std::int64_t> least_ns_;
  std::atomic<std::int64_t> most_ns_{0};
  std::vector<std::atomic<std::uint64_t>> bins_;
};

}  // namespace rpcbench
