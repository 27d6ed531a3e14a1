// A row that runs the closed loop: one server, its connections, and a load that never pauses
// between windows.
#pragma once

#include <memory>

#include "bench/row.h"
#include "load/closed_loop.h"
#include "load/rig.h"

namespace rpcbench {

struct LoopOptions {
  int connections = 1;
  std::uint32_t in_flight = 1;
};

class LiveLoop final : public LiveRow {
 public:
  // Sets up and warms up. Throws Error. `dataset` outlives the row.
  LiveLoop(const Framework& framework, const LoadOptions& options, const LoopOptions& loop,
           const Dataset& dataset);
  ~LiveLoop() override;

  // A window an iteration, measured as one. Counters: CountersOf, and `share` of in_flight / delay.
  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  Measurement Measure(std::int64_t iterations, Count count);

  const LoadOptions options_;
  std::chrono::nanoseconds window_;
  const LoopOptions loop_options_;
  ClosedLoop loop_;
  Rig rig_;
};

}  // namespace rpcbench
