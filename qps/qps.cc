// qps: how many calls a second, with a fixed number in flight; how a small burst fares; and with
// --rate, how long calls take that come at a rate of their own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "echo/error.h"
#include "load/bench_main.h"
#include "load/live_burst.h"
#include "load/live_loop.h"
#include "load/live_rate.h"
#include "measure/latency.h"
#include "process/duration_flag.h"

namespace rpcbench {
namespace {

struct QpsFlags {
  std::vector<std::uint32_t> in_flight = {2000, 32'000};
  std::vector<std::uint32_t> burst = {2000};
  std::vector<std::uint32_t> rate;  // none: no open loop
  std::string arrival = "even";
  bool find_rate = false;
  std::map<double, std::string> targets;  // by fraction
};

// What --p99 and its likes say; 50 ms at the 99th if none does. Throws Error.
LatencyTarget TargetOf(const QpsFlags& flags) {
  std::optional<LatencyTarget> target;
  for (const auto& [fraction, text] : flags.targets) {
    if (text.empty()) continue;
    if (target) throw Error("--find-rate: give one target, such as --p99 50ms");
    target = LatencyTarget{fraction, ParseDuration(text)};
  }
  if (target && !flags.find_rate) throw Error("a target such as --p99 50ms needs --find-rate");
  return target.value_or(LatencyTarget{0.99, std::chrono::milliseconds(50)});
}

std::vector<RowSpec> RateRows(const QpsFlags& flags, const std::vector<Framework>& frameworks,
                              const LoadOptions& options, const Dataset& dataset) {
  const Arrival arrival = ParseArrival(flags.arrival);
  const LatencyTarget target = TargetOf(flags);
  std::vector<RowSpec> rows;
  for (const Framework& framework : frameworks) {
    for (const int clients : options.clients) {
      if (flags.find_rate) {
        const double first = flags.rate.empty() ? 1000 : flags.rate.front();
        rows.push_back(FindRateRow(framework, options, {clients, first, arrival}, target, dataset));
        continue;
      }
      for (const std::uint32_t rate : flags.rate) {
        rows.push_back(
            RateRow(framework, options, {clients, static_cast<double>(rate), arrival}, dataset));
      }
    }
  }
  return rows;
}

RowSpec LoopRow(const Framework& framework, const LoadOptions& options, const Dataset& dataset,
                const LoopOptions& loop) {
  RowSpec row;
  row.name = fmt::format("BenchmarkQPS/{}/clients:{}/in_flight:{}{}", framework.name,
                         loop.connections, loop.in_flight, NameSuffix(options));
  row.skipped = WhyNot(framework, options);
  if (loop.in_flight < static_cast<std::uint32_t>(loop.connections)) {
    row.skipped = "fewer calls in flight than connections";
  }
  row.start = [&framework, &options, &dataset, loop] {
    return std::make_unique<LiveLoop>(framework, options, loop, dataset);
  };
  return row;
}

RowSpec SmallBurstRow(const Framework& framework, const LoadOptions& options,
                      const Dataset& dataset, int connections, std::uint32_t calls_a_client) {
  const std::uint64_t calls =
      std::uint64_t{calls_a_client} * static_cast<std::uint64_t>(connections);
  const BurstOptions burst{connections, static_cast<std::uint32_t>(calls)};
  RowSpec row = BurstRow("BenchmarkQPSBurst", framework, options, burst, dataset);
  if (framework.traits.carries == Carries::kOne) {
    row.skipped =
        "carries one call at a time on a connection: a burst would wait in the client's own queue";
  }
  if (calls > kMostCalls) row.skipped = fmt::format("more than {} calls at once", kMostCalls);
  return row;
}

std::vector<RowSpec> Rows(const QpsFlags& flags, const std::vector<Framework>& frameworks,
                          const LoadOptions& options, const Dataset& dataset) {
  TargetOf(flags);  // says what makes no sense
  if (flags.find_rate || !flags.rate.empty()) return RateRows(flags, frameworks, options, dataset);
  std::vector<RowSpec> rows;
  for (const Framework& framework : frameworks) {
    for (const int clients : options.clients) {
      if (framework.traits.carries == Carries::kOne) {
        // More would only wait in the client's own queue.
        const LoopOptions loop{clients, static_cast<std::uint32_t>(clients)};
        rows.push_back(LoopRow(framework, options, dataset, loop));
        continue;
      }
      for (const std::uint32_t in_flight : flags.in_flight) {
        rows.push_back(LoopRow(framework, options, dataset, {clients, in_flight}));
      }
    }
  }
  const std::uint32_t burst = flags.burst.front();
  if (burst == 0) return rows;
  for (const Framework& framework : frameworks) {
    for (const int clients : options.clients) {
      rows.push_back(SmallBurstRow(framework, options, dataset, clients, burst));
    }
  }
  return rows;
}

int Main(int argc, char** argv) {
  QpsFlags flags;
  Program program;
  program.name = "qps";
  program.description =
      "Calls a second with a fixed number in flight (BenchmarkQPS) and in bursts "
      "(BenchmarkQPSBurst).";
  program.flags = {
      {"--in-flight", "Calls in flight over all connections, one row each", &flags.in_flight, 1,
       10'000'000, true},
      {"--burst", "Calls a client of a burst; 0: no burst rows", &flags.burst, 0, 1'000'000},
      {"--rate",
       "Open loop instead: calls a second over all connections, whatever became of earlier ones; "
       "one row each (BenchmarkQPSRate)",
       &flags.rate, 1, 10'000'000, true},
  };
  program.declare = [&](CLI::App& app) {
    app.add_option("--arrival", flags.arrival, "Of the calls of --rate: even or poisson")
        ->capture_default_str();
    app.add_flag("--find-rate", flags.find_rate,
                 "Search the highest rate at which a percentile stays below a target "
                 "(BenchmarkQPSFindRate), from --rate or 1000 on");
    for (const double fraction : kFractions) {
      app.add_option("--" + LabelOf(fraction), flags.targets[fraction],
                     "Target of --find-rate; default: --p99 50ms");
    }
  };
  program.rows = [&](const auto& frameworks, const auto& options, const auto& dataset) {
    return Rows(flags, frameworks, options, dataset);
  };
  return BenchMain(argc, argv, program);
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
