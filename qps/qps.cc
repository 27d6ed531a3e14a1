// qps: how many calls a second, with a fixed number in flight; and how a small burst fares.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "load/bench_main.h"
#include "load/live_burst.h"
#include "load/live_loop.h"

namespace rpcbench {
namespace {

struct QpsFlags {
  std::vector<std::uint32_t> in_flight = {2000, 32'000};
  std::vector<std::uint32_t> burst = {2000};
};

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
