#include "load/live_burst.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "echo/error.h"

namespace rpcbench {

LiveBurst::LiveBurst(const Framework& framework, const LoadOptions& options,
                     const BurstOptions& burst, const Dataset& dataset)
    : options_(options),
      burst_options_(burst),
      burst_(dataset, framework.traits.nan_rule, burst.calls,
             static_cast<std::size_t>(burst.connections)),
      rig_(framework, options, burst.connections, burst.calls, burst_) {
  // Each connection answers once before the mark.
  const std::uint32_t calls = std::min(burst.calls, kWarmUpCalls);
  burst_.Reset(calls, 1);
  burst_.Run(rig_.clients(), calls, options_.timeout);
  if (burst_.tally().counts().errors() > 0) throw Error("calls went wrong in the warm-up");
}

RowResult LiveBurst::Run(std::int64_t iterations, Count count) {
  const Measurement measurement = Measure(iterations, count);
  RowResult result = ResultOf(measurement, count);
  if (count == Count::kAllocations) return result;
  result.counters["sec"] = measurement.length.count() / static_cast<double>(iterations);
  result.counters["calls"] = burst_options_.calls;
  return result;
}

Measurement LiveBurst::Measure(std::int64_t iterations, Count count) {
  burst_.Reset(burst_options_.calls, iterations);
  const auto run = [this] {
    return burst_.Run(rig_.clients(), burst_options_.calls, options_.timeout);
  };
  Measurement measurement =
      rig_.Measure({iterations, burst_options_.calls, run}, burst_.tally(), count);
  // All calls fall between the mark and the report, and hardly anything else does: use is per call,
  // not per second.
  const auto bursts = std::chrono::round<std::chrono::nanoseconds>(measurement.length);
  measurement.resources.elapsed = bursts;
  if (measurement.resources.server) measurement.resources.server->elapsed = bursts;
  return measurement;
}

RowSpec BurstRow(const std::string& family, const Framework& framework, const LoadOptions& options,
                 const BurstOptions& burst, const Dataset& dataset) {
  RowSpec row;
  row.name = fmt::format("{}/{}/clients:{}{}", family, framework.name, burst.connections,
                         NameSuffix(options));
  row.skipped = WhyNot(framework, options);
  if (burst.calls < static_cast<std::uint32_t>(burst.connections)) {
    row.skipped = "fewer calls than connections";
  }
  row.start = [&framework, &options, &dataset, burst] {
    return std::make_unique<LiveBurst>(framework, options, burst, dataset);
  };
  return row;
}

}  // namespace rpcbench
