// A row that runs the open loop: calls at a given rate, and how long they take from when they were
// due.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/row.h"
#include "load/find_rate.h"
#include "load/open_loop.h"
#include "load/rig.h"
#include "load/schedule.h"

namespace rpcbench {

struct RateOptions {
  int connections = 1;
  double rate = 1000;  // calls a second, of all connections together
  Arrival arrival = Arrival::kEven;
};

class LiveRate final : public LiveRow {
 public:
  // Sets up, and each connection answers once. Throws Error. `dataset` outlives the row.
  LiveRate(const Framework& framework, const LoadOptions& options, const RateOptions& rate,
           const Dataset& dataset);

  // A window of all iterations, after a warm-up at the same rate. Counters: CountersOf, whose
  // latencies count from when a call was due and whose qps is of the replies that came in the
  // window; `rate`, what was offered; `sent_p50_s` and so on to `sent_max_s`, from when a call was
  // handed to its client; `late_p99_s` and `late_max_s`, how late that was. A row that got less
  // than 0.99 of what was due is invalid.
  RowResult Run(std::int64_t iterations, Count count) override;

  // The same at another rate from now on, in one window.
  RowResult RunAt(double rate);

 private:
  Measurement Measure(std::int64_t iterations, Count count);
  void AddRates(RowResult& result) const;

  const LoadOptions options_;
  RateOptions rate_;
  OpenLoop loop_;
  Rig rig_;
};

// What has to hold at a rate, beside that it is kept.
struct LatencyTarget {
  double fraction = 0.99;
  std::chrono::nanoseconds limit{0};
};

// A row that searches the highest rate that holds, on the same server and connections. Each step is
// told on standard error. Counters: those of the best step, and `steps`; invalid if none held.
class LiveFindRate final : public LiveRow {
 public:
  LiveFindRate(const Framework& framework, const LoadOptions& options, const RateOptions& first,
               const LatencyTarget& target, const Dataset& dataset);
  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  const std::string framework_;
  const double first_;
  const LatencyTarget target_;
  LiveRate rate_;
};

// The row BenchmarkQPSFindRate/<framework>/clients:<k>/p99:50ms. What it refers to outlives it.
RowSpec FindRateRow(const Framework& framework, const LoadOptions& options,
                    const RateOptions& first, const LatencyTarget& target, const Dataset& dataset);

// The row BenchmarkQPSRate/<framework>/clients:<k>/rate:<r>. What it refers to outlives it.
RowSpec RateRow(const Framework& framework, const LoadOptions& options, const RateOptions& rate,
                const Dataset& dataset);

}  // namespace rpcbench
