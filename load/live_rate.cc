#include "load/live_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr auto kWarmUp = std::chrono::milliseconds(500);
constexpr double kMostCallsARun = 20e6;
constexpr double kLeastShare = 0.99;  // of what is due
// Calls in flight that are allowed for: those of a second, at least so many and at most so many.
constexpr double kLeastSlots = 1024;
constexpr double kMostSlots = 65'536;
// What is in flight varies with the root of its mean where calls come by chance.
constexpr double kDeviations = 4;

std::uint32_t SlotsFor(double rate) {
  return static_cast<std::uint32_t>(std::clamp(rate, kLeastSlots, kMostSlots));
}

}  // namespace

LiveRate::LiveRate(const Framework& framework, const LoadOptions& options, const RateOptions& rate,
                   const Dataset& dataset)
    : options_(options),
      rate_(rate),
      loop_(dataset, framework.traits.nan_rule, SlotsFor(rate.rate),
            static_cast<std::size_t>(rate.connections)),
      rig_(framework, options, rate.connections, SlotsFor(rate.rate), loop_) {
  OpenLoop::Plan first;
  first.schedule.resize(static_cast<std::size_t>(rate.connections));
  first.patience = options_.timeout;
  loop_.Run(rig_.clients(), first, [] {});
  if (loop_.tally().counts().errors() > 0) throw Error("calls went wrong in the warm-up");
}

RowResult LiveRate::Run(std::int64_t iterations, Count count) {
  const Measurement measurement = Measure(iterations, count);
  RowResult result = ResultOf(measurement, count);
  if (count == Count::kNothing) AddRates(result);
  return result;
}

Measurement LiveRate::Measure(std::int64_t iterations, Count count) {
  const auto connections_before = rig_.Connections();
  Measurement measurement;
  const auto window = options_.window * iterations;
  measurement.length = window;
  OpenLoop::Plan plan;
  plan.begin = kWarmUp;
  plan.end = kWarmUp + window;
  plan.schedule = MakeSchedule(rate_.arrival, rate_.rate, plan.end, options_.seed);
  plan.patience = options_.timeout;
  // With the warm-up: the rate is the same, and a mark in between would delay what is due then.
  rig_.Begin(count);
  loop_.Run(rig_.clients(), plan, [&] { measurement.resources = rig_.End(); });
  measurement.facts = rig_.Facts(connections_before);
  AddTally(loop_.tally(), measurement);
  measurement.calls = static_cast<double>(loop_.ended_in_window());
  return measurement;
}

void LiveRate::AddRates(RowResult& result) const {
  result.counters["rate"] = rate_.rate;
  const LatencySet since_send = loop_.SinceSend();
  if (since_send.count() > 0) {
    for (const double fraction : kFractions) {
      result.counters["sent_" + LabelOf(fraction) + "_s"] =
          std::chrono::duration<double>(since_send.Percentile(fraction)).count();
    }
    result.counters["sent_max_s"] = std::chrono::duration<double>(since_send.Max()).count();
  }
  if (loop_.lateness().count() > 0) {
    result.counters["late_p99_s"] =
        std::chrono::duration<double>(loop_.lateness().Percentile(0.99)).count();
    result.counters["late_max_s"] = std::chrono::duration<double>(loop_.lateness().Max()).count();
  }
  const auto due = static_cast<double>(loop_.due_in_window());
  const auto ended = static_cast<double>(loop_.ended_in_window());
  const auto mean = result.counters.find("mean_s");
  const double in_flight = mean == result.counters.end() ? 0 : rate_.rate * mean->second;
  if (ended >= kLeastShare * due - kDeviations * std::sqrt(in_flight) - 1) return;
  result.violations.push_back(
      fmt::format("{:.0f} replies came in the time in which {:.0f} calls were due: it cannot keep "
                  "{:.0f} calls/s",
                  ended, due, rate_.rate));
}

RowResult LiveRate::RunAt(double rate) {
  rate_.rate = rate;
  return Run(1, Count::kNothing);
}

LiveFindRate::LiveFindRate(const Framework& framework, const LoadOptions& options,
                           const RateOptions& first, const LatencyTarget& target,
                           const Dataset& dataset)
    : framework_(framework.name),
      first_(first.rate),
      target_(target),
      // With room for what any rate has in flight.
      rate_(framework, options, {first.connections, kMostSlots, first.arrival}, dataset) {}

RowResult LiveFindRate::Run(std::int64_t, Count count) {
  if (count == Count::kAllocations) return {};
  const std::string percentile = LabelOf(target_.fraction);
  const double limit = std::chrono::duration<double>(target_.limit).count();
  RowResult best;
  double best_rate = 0;
  std::string why;
  const auto steps = FindRate({.first = first_}, [&](double rate) {
    RowResult result = rate_.RunAt(rate);
    RateStep step{.rate = rate,
                  .qps = result.counters["qps"],
                  .latency = result.counters[percentile + "_s"],
                  .held = false};
    step.held = result.violations.empty() && step.latency <= limit;
    fmt::print(stderr, "{}: {:.0f} calls/s: {} {:.2f} ms, {:.0f} came back: {}\n", framework_, rate,
               percentile, step.latency * 1e3, step.qps, step.held ? "holds" : "does not hold");
    if (step.held && rate > best_rate) {
      best_rate = rate;
      best = std::move(result);
    }
    return step;
  });
  if (BestOf(steps) == nullptr) {
    best.violations.push_back(fmt::format("no rate holds: {} was {:.2f} ms at {:.1f} calls/s",
                                          percentile, steps.back().latency * 1e3,
                                          steps.back().rate));
    return best;
  }
  best.counters["steps"] = static_cast<double>(steps.size());
  return best;
}

RowSpec FindRateRow(const Framework& framework, const LoadOptions& options,
                    const RateOptions& first, const LatencyTarget& target, const Dataset& dataset) {
  RowSpec row;
  row.name = fmt::format("BenchmarkQPSFindRate/{}/clients:{}/{}:{:g}ms{}", framework.name,
                         first.connections, LabelOf(target.fraction),
                         std::chrono::duration<double, std::milli>(target.limit).count(),
                         NameSuffix(options));
  row.count_allocations = false;
  row.skipped = WhyNot(framework, options);
  row.start = [&framework, &options, &dataset, first, target] {
    return std::make_unique<LiveFindRate>(framework, options, first, target, dataset);
  };
  return row;
}

RowSpec RateRow(const Framework& framework, const LoadOptions& options, const RateOptions& rate,
                const Dataset& dataset) {
  RowSpec row;
  row.name = fmt::format(
      "BenchmarkQPSRate/{}/clients:{}/rate:{:.0f}{}{}", framework.name, rate.connections, rate.rate,
      rate.arrival == Arrival::kPoisson ? "/arrival:poisson" : "", NameSuffix(options));
  row.skipped = WhyNot(framework, options);
  const double seconds = std::chrono::duration<double>(kWarmUp + options.window).count();
  if (rate.rate * seconds > kMostCallsARun) {
    row.skipped = fmt::format("{:.0f} calls/s for {:.1f} s are more than {:.0f} calls", rate.rate,
                              seconds, kMostCallsARun);
  }
  row.start = [&framework, &options, &dataset, rate] {
    return std::make_unique<LiveRate>(framework, options, rate, dataset);
  };
  return row;
}

}  // namespace rpcbench
