// A row that runs bursts: one server, its connections, and all calls at once, again and again.
#pragma once

#include <string>

#include "bench/row.h"
#include "load/burst.h"
#include "load/rig.h"

namespace rpcbench {

// More at once than this is refused: their bookkeeping alone would take gigabytes.
inline constexpr std::uint64_t kMostCalls = 10'000'000;

struct BurstOptions {
  int connections = 1;
  std::uint32_t calls = 1;  // of all connections together
};

class LiveBurst final : public LiveRow {
 public:
  // Sets up and warms up with a burst of up to kWarmUpCalls. Throws Error. `dataset` outlives the
  // row.
  LiveBurst(const Framework& framework, const LoadOptions& options, const BurstOptions& burst,
            const Dataset& dataset);

  // A burst an iteration. Counters: CountersOf over all of them, and `sec`, the mean time of a
  // burst.
  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  static constexpr std::uint32_t kWarmUpCalls = 10'000;

  Measurement Measure(std::int64_t iterations, Count count);

  const LoadOptions options_;
  const BurstOptions burst_options_;
  Burst burst_;
  Rig rig_;
};

// The row <family>/<framework>/clients:<connections>. What it refers to outlives it.
RowSpec BurstRow(const std::string& family, const Framework& framework, const LoadOptions& options,
                 const BurstOptions& burst, const Dataset& dataset);

}  // namespace rpcbench
