// Fast calls on one connection with slow ones among them: how long the fast ones wait.
#pragma once

#include <memory>

#include "bench/row.h"
#include "load/rig.h"
#include "load/steady.h"

namespace rpcbench {

struct MixOptions {
  std::uint32_t calls = 101;             // a run
  std::uint32_t slow_every = 101;        // one slow call in so many
  std::uint32_t slow_at = 0;             // which of them
  std::chrono::nanoseconds interval{0};  // between two calls; 0: all at once
  std::chrono::nanoseconds slow_delay = std::chrono::milliseconds(300);
};

// Latencies are of the fast calls and count from when each was due. Counters: CountersOf; for runs
// that leave at once `overtook` (the share of the fast ones that took less than slow_delay),
// `wait_p50_s` and `wait_max_s`; else `rate`.
class SlowMix final : public LiveRow {
 public:
  SlowMix(const Framework& framework, LoadOptions options, const MixOptions& mix,
          const Dataset& dataset);

  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  const MixOptions mix_;
  const LoadOptions options_;
  const Dataset records_;
  Steady steady_;
  Rig rig_;
};

}  // namespace rpcbench
