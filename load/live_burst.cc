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
  const auto connections_before = rig_.Connections();
  Measurement measurement;
  burst_.Reset(burst_options_.calls, iterations);
  rig_.Begin(count);
  std::chrono::nanoseconds bursts{0};
  for (std::int64_t i = 0; i < iterations; ++i) {
    bursts += burst_.Run(rig_.clients(), burst_options_.calls, options_.timeout);
  }
  measurement.resources = rig_.End();
  measurement.length = bursts;
  // All calls fall between the mark and the report, and hardly anything else does: use is per call,
  // not per second.
  measurement.resources.elapsed = bursts;
  if (measurement.resources.server) measurement.resources.server->elapsed = bursts;
  measurement.facts = rig_.Facts(connections_before);
  AddTally(burst_.tally(), measurement);
  measurement.facts.in_flight_limit = burst_options_.calls;
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
