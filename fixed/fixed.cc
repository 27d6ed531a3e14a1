// fixed: a fixed number of calls, all at once: how long until the last reply, and how the waiting
// is spread.
#include <cstdint>
#include <vector>

#include "load/bench_main.h"
#include "load/live_burst.h"

namespace rpcbench {
namespace {

struct FixedFlags {
  std::vector<std::uint32_t> calls = {100'000};
  std::vector<std::uint32_t> small_calls = {32};
};

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
      rows.push_back(BurstRow("BenchmarkFixed", framework, options, {clients, calls}, dataset));
      if (framework.traits.carries == Carries::kOne) {
        rows.back().skipped = kTooMany;
      }
    }
  }
  for (const Framework& framework : frameworks) {
    if (framework.traits.carries != Carries::kOne) continue;
    for (const int clients : options.clients) {
      const std::uint32_t small = flags.small_calls.front() * static_cast<std::uint32_t>(clients);
      rows.push_back(
          BurstRow("BenchmarkFixedSmall", framework, options, {clients, small}, dataset));
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
