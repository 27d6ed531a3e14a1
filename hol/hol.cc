// hol: where calls wait behind others (head-of-line blocking).
//
//   ceiling  calls a second on one connection with 64 in flight: 1/delay where it carries one call
//   at a time victim   100 calls that take no time behind one that takes 300 ms, on one connection
//   steady   200 calls a second on one connection, 1 in 100 of which takes 300 ms: the latency of
//   the other 99
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "hol/slow_mix.h"
#include "load/bench_main.h"
#include "load/live_loop.h"

namespace rpcbench {
namespace {

constexpr std::uint32_t kCeilingInFlight = 64;
constexpr MixOptions kVictim{.calls = 101, .slow_every = 101, .slow_at = 0};
// Three seconds, six slow calls; a connection that carries one call at a time is then busy 60 % of
// the time.
constexpr MixOptions kSteady{
    .calls = 600, .slow_every = 100, .slow_at = 50, .interval = std::chrono::milliseconds(5)};

// The closed loop on one connection, with its rate as a multiple of what one call at a time gives.
class Ceiling final : public LiveRow {
 public:
  Ceiling(const Framework& framework, const LoadOptions& options, const Dataset& dataset)
      : delay_(options.target.server.delay),
        loop_(framework, options, {.connections = 1, .in_flight = kCeilingInFlight}, dataset) {}

  RowResult Run(std::int64_t iterations, Count count) override {
    RowResult result = loop_.Run(iterations, count);
    const auto qps = result.counters.find("qps");
    if (qps != result.counters.end() && delay_.count() > 0) {
      result.counters["times_one_at_a_time"] =
          qps->second * std::chrono::duration<double>(delay_).count();
    }
    return result;
  }

 private:
  const std::chrono::nanoseconds delay_;
  LiveLoop loop_;
};

std::vector<RowSpec> Rows(const std::vector<Framework>& frameworks, const LoadOptions& options,
                          const Dataset& dataset) {
  std::vector<RowSpec> rows;
  const auto add = [&](const std::string& kind, auto make) {
    for (const Framework& framework : frameworks) {
      RowSpec row;
      row.name = fmt::format("BenchmarkHOL/{}/{}", kind, framework.name);
      row.count_allocations = false;
      row.name += NameSuffix(options);
      row.skipped = WhyNot(framework, options);
      row.start = [&framework, make]() -> std::unique_ptr<LiveRow> { return make(framework); };
      if (options.attach && kind != "ceiling") {
        row.skipped =
            "a server that runs already has delays of its own: this row starts one with "
            "--slow-delay";
      }
      rows.push_back(std::move(row));
    }
  };
  add("ceiling", [&](const Framework& framework) {
    return std::make_unique<Ceiling>(framework, options, dataset);
  });
  add("victim", [&](const Framework& framework) {
    return std::make_unique<SlowMix>(framework, options, kVictim, dataset);
  });
  add("steady", [&](const Framework& framework) {
    return std::make_unique<SlowMix>(framework, options, kSteady, dataset);
  });
  return rows;
}

int Main(int argc, char** argv) {
  Program program;
  program.name = "hol";
  program.description =
      "Where calls wait behind others: ceiling, victim and steady rows, each on one connection.";
  program.one_connection = true;
  program.rows = Rows;
  return BenchMain(argc, argv, program);
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
