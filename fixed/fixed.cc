// fixed: a fixed number of calls, all at once: how long until the last reply, and how the waiting
// is spread.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "load/bench_main.h"
#include "load/live_burst.h"

namespace rpcbench {
namespace {

struct FixedFlags {
  std::vector<std::uint32_t> calls = {100'000};
  std::vector<std::uint32_t> small_calls = {32};
};

RowSpec Row(const std::string& family, const Framework& framework, const LoadOptions& options,
            const Dataset& dataset, const BurstOptions& burst) {
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

// The same for all connection counts, so that charts and tables can say it once.
constexpr char kTooMany[] =
    "carries one call at a time on a connection, so these would take minutes; see "
    "BenchmarkFixedSmall";

std::vector<RowSpec> Rows(const FixedFlags& flags, const std::vector<Framework>& frameworks,
                          const LoadOptions& options, const Dataset& dataset) {
  const std::uint32_t calls = flags.calls.front();
  std::vector<RowSpec> rows;
  for (const Framework& framework : frameworks) {
    for (const int clients : options.clients) {
      rows.push_back(Row("BenchmarkFixed", framework, options, dataset, {clients, calls}));
      if (framework.traits.carries == Carries::kOne) {
        rows.back().skipped = kTooMany;
      }
    }
  }
  for (const Framework& framework : frameworks) {
    if (framework.traits.carries != Carries::kOne) continue;
    for (const int clients : options.clients) {
      const std::uint32_t small = flags.small_calls.front() * static_cast<std::uint32_t>(clients);
      rows.push_back(Row("BenchmarkFixedSmall", framework, options, dataset, {clients, small}));
    }
  }
  return rows;
}

int Main(int argc, char** argv) {
  FixedFlags flags;
  Program program;
  program.name = "fixed";
  program.description =
      "A fixed number of calls at once, dealt evenly to the connections (BenchmarkFixed). "
      "Frameworks that carry\n"
      "one call at a time on a connection have a smaller number of their own "
      "(BenchmarkFixedSmall).";
  program.flags = {
      {"--calls", "Calls at once over all connections", &flags.calls, 1, 10'000'000},
      {"--small-calls", "Calls a connection of BenchmarkFixedSmall", &flags.small_calls, 1,
       100'000},
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
