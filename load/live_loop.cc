#include "load/live_loop.h"

#include <algorithm>

namespace rpcbench {
namespace {

constexpr auto kLeastWarmUp = std::chrono::milliseconds(200);
// A window is at least this many calls long: in less, a framework that serves its connections in
// turn would be seen while it serves some of them.
constexpr int kRoundsAWindow = 2;

}  // namespace

LiveLoop::LiveLoop(const Framework& framework, const LoadOptions& options, const LoopOptions& loop,
                   const Dataset& dataset)
    : options_(options),
      loop_options_(loop),
      loop_(dataset, framework.traits.nan_rule, loop.in_flight,
            static_cast<std::size_t>(loop.connections)),
      rig_(framework, options, loop.connections, loop.in_flight, loop_) {
  try {
    loop_.Start(rig_.clients(), options_.timeout);
    const auto round = loop_.WarmUp(kLeastWarmUp, options_.timeout);
    window_ = std::max(options_.window, kRoundsAWindow * round);
  } catch (...) {
    loop_.Stop();  // before the clients go: their last replies start no calls
    throw;
  }
}

LiveLoop::~LiveLoop() {
  loop_.Stop();
}

RowResult LiveLoop::Run(std::int64_t iterations, Count count) {
  const Measurement measurement = Measure(iterations, count);
  RowResult result = ResultOf(measurement, count);
  if (count == Count::kAllocations) return result;
  const double delay = std::chrono::duration<double>(options_.target.server.delay).count();
  if (delay > 0)
    result.counters["share"] = result.counters["qps"] * delay / loop_options_.in_flight;
  return result;
}

Measurement LiveLoop::Measure(std::int64_t iterations, Count count) {
  const auto connections_before = rig_.Connections();
  Measurement measurement;
  measurement.length = window_ * iterations;
  rig_.Begin(count);
  loop_.Measure(window_ * iterations, options_.timeout,
                [&] { measurement.resources = rig_.End(); });
  measurement.facts = rig_.Facts(connections_before);
  AddTally(loop_.tally(), measurement);
  measurement.facts.mean_in_flight =
      std::chrono::duration<double>(loop_.tally().inside()) / measurement.length;
  measurement.facts.light_load = true;
  measurement.facts.in_flight = loop_options_.in_flight;
  measurement.facts.in_flight_limit = loop_options_.in_flight;
  return measurement;
}

}  // namespace rpcbench
