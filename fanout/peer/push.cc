// push: what a delivered event costs our server and nginx with nchan, and thousands of streams that
// come, are cut and come back.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>

#include "bench/program.h"
#include "fanout/peer/live_connect.h"
#include "fanout/peer/live_push.h"

namespace rpcbench {
namespace {

struct Flags {
  std::vector<std::size_t> streams = {200, 2000, 5000};
  std::size_t connect_streams = 10'000;
  double rate = 20;
  std::size_t event_bytes = 1400;
  double warm_up = 1;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--streams", flags.streams, "Numbers of streams of BenchmarkPush")
      ->delimiter(',')
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--connect-streams", flags.connect_streams, "Streams of BenchmarkConnect; 0: none")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app.add_option("--rate", flags.rate, "Events a second")
      ->check(CLI::Range(0.1, 10'000.0))
      ->capture_default_str();
  app.add_option("--event-bytes", flags.event_bytes, "Bytes of an event's data")
      ->check(CLI::Range(64, 60'000))
      ->capture_default_str();
  app.add_option("--warm-up", flags.warm_up, "Seconds of events before each window")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
}

PushOptions OptionsOf(const Flags& flags, const std::string& peer, std::size_t streams) {
  PushOptions options;
  options.peer = peer;
  options.streams = streams;
  options.rate = flags.rate;
  options.event_bytes = flags.event_bytes;
  options.cpus = SplitAllowedCpus();
  options.warm_up = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(flags.warm_up));
  return options;
}

// A row for these options. `skipped`: why it cannot be run, or empty.
template <class Row, class... Arguments>
RowSpec Spec(const std::string& name, const std::string& skipped, Arguments... arguments) {
  return {.name = name,
          .count_allocations = false,
          .skipped = skipped,
          .start = [arguments...]() -> std::unique_ptr<LiveRow> {
            return std::make_unique<Row>(arguments...);
          }};
}

std::vector<RowSpec> Rows(const Flags& flags, const GoogleFlags& google) {
  const auto window = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(google.min_time));
  std::vector<RowSpec> rows;
  for (const std::size_t streams : flags.streams) {
    for (const char* peer : {"sse", "nchan"}) {
      const std::string skipped = peer == std::string("nchan") ? NchanMissing({}) : "";
      rows.push_back(Spec<LivePush>(fmt::format("BenchmarkPush/{}/streams:{}", peer, streams),
                                    skipped, OptionsOf(flags, peer, streams), window));
    }
  }
  if (flags.connect_streams > 0) {
    rows.push_back(
        Spec<LiveConnect>(fmt::format("BenchmarkConnect/sse/streams:{}", flags.connect_streams), "",
                          OptionsOf(flags, "sse", flags.connect_streams)));
  }
  return rows;
}

int Main(int argc, char** argv) {
  Flags flags;
  BenchProgram program;
  program.name = "push";
  program.description =
      "Publishes events at a steady rate to many streams, through our server and through nginx "
      "with "
      "nchan, and measures what a delivered event costs each.";
  program.window_seconds = 10;
  program.columns = {{"us/event", "server_us_event", 2, 1, ""},
                     {"cores", "server_cores", 2, 1, ""},
                     {"events/s", "events_s", 0, 1, ""},
                     {"gaps", "gaps", 0, 1, ""},
                     {"p50 ms", "latency_p50_ms", 2, 1, ""},
                     {"p99 ms", "latency_p99_ms", 2, 1, ""},
                     {"KB/stream", "rss_kb_stream", 1, 1, ""},
                     {"connect s", "connect_s", 2, 1, ""},
                     {"back s", "back_s", 2, 1, ""}};
  program.declare = [&flags](CLI::App& app) { Declare(app, flags); };
  program.rows = [&flags](const GoogleFlags& google) { return Rows(flags, google); };
  program.prepare = [] { PinTo(SplitAllowedCpus().client); };
  return RunBenchProgram(argc, argv, program);
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
