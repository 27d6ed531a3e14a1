// Counts how calls ended and keeps their latencies, a lane a connection.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "echo/client.h"
#include "measure/gates.h"
#include "measure/latency.h"

namespace rpcbench {

// A connection's replies come one at a time, so a lane needs no lock. Errors are rare and shared.
class Tally final {
 public:
  explicit Tally(std::size_t connections) : lanes_(connections) {}

  // Forgets everything but doubled replies, which spoil the row for good, and makes room for this
  // many samples a lane. While no call is being added.
  void Reset(std::size_t samples_a_lane);

  // A call of this connection ended well. `inside` is its time in the window: all of `latency`, or
  // less at an edge, and then the call counts by that part. `sampled`: its latency enters the
  // percentiles.
  void AddOk(std::size_t connection, std::chrono::nanoseconds latency,
             std::chrono::nanoseconds inside, bool sampled) {
    Lane& lane = lanes_[connection];
    lane.calls += inside == latency
                      ? 1
                      : static_cast<double>(inside.count()) / static_cast<double>(latency.count());
    lane.inside += inside;
    if (sampled) lane.log.Add(latency);
  }
  // Any thread.
  void AddError(Outcome outcome);
  void AddDoubled();

  // While no call is being added.
  double calls() const;
  std::chrono::nanoseconds inside() const;  // the calls' times in the window, added up
  OutcomeCounts counts() const;             // ok counts the samples
  bool overflowed() const;
  LatencySet Latencies() const;  // merged and sorted

 private:
  struct alignas(64) Lane {
    LatencyLog log;
    double calls = 0;
    std::chrono::nanoseconds inside{0};
  };

  std::vector<Lane> lanes_;
  std::atomic<std::uint64_t> failed_{0};
  std::atomic<std::uint64_t> timed_out_{0};
  std::atomic<std::uint64_t> cancelled_{0};
  std::atomic<std::uint64_t> mismatched_{0};
  std::atomic<std::uint64_t> doubled_{0};
};

}  // namespace rpcbench
