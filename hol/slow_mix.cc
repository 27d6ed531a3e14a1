#include "hol/slow_mix.h"

#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

// The data set's records with the flag, which tells the server to be slow, where the mix says.
Dataset Flagged(const Dataset& dataset, const MixOptions& mix) {
  std::vector<Record> records;
  for (std::uint32_t i = 0; i < mix.calls; ++i) {
    records.push_back(dataset[i]);
    records.back().flag = i % mix.slow_every == mix.slow_at;
  }
  return Dataset::Of(std::move(records));
}

LoadOptions WithDelays(LoadOptions options, const MixOptions& mix) {
  options.target.server.delay = std::chrono::nanoseconds(0);
  options.target.server.slow_delay = mix.slow_delay;
  return options;
}

}  // namespace

SlowMix::SlowMix(const Framework& framework, LoadOptions options, const MixOptions& mix,
                 const Dataset& dataset)
    : mix_(mix),
      options_(WithDelays(std::move(options), mix)),
      records_(Flagged(dataset, mix)),
      steady_(records_, framework.traits.nan_rule, mix.calls, 1),
      rig_(framework, options_, 1, mix.calls, steady_) {
  steady_.Reset(1, 1);
  steady_.Run(rig_.clients(), 1, std::chrono::nanoseconds(0), options_.timeout);
  if (steady_.tally().counts().errors() > 0) throw Error("the first call went wrong");
}

RowResult SlowMix::Run(std::int64_t iterations, Count count) {
  steady_.Reset(mix_.calls, iterations);
  const auto run = [this] {
    return steady_.Run(rig_.clients(), mix_.calls, mix_.interval, options_.timeout);
  };
  const Measurement measurement =
      rig_.Measure({iterations, mix_.calls, run}, steady_.tally(), count);
  RowResult result = ResultOf(measurement, count);
  if (count == Count::kAllocations) return result;
  if (mix_.interval.count() == 0) {
    result.counters["overtook"] = measurement.latencies.ShareBelow(mix_.slow_delay);
    result.counters["wait_p50_s"] = measurement.latencies.Percentile(0.50).count();
    result.counters["wait_max_s"] = measurement.latencies.Max().count();
  } else {
    result.counters["rate"] = 1 / std::chrono::duration<double>(mix_.interval).count();
  }
  return result;
}

}  // namespace rpcbench
