// board: what a board that many streams watch costs, from the command to the compressed frame.
//
//   sink  the streams are in this process and take every frame at once
//   wire  the streams are in sse_load, over HTTP and loopback
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/program.h"
#include "echo/error.h"
#include "fanout/board/board_options.h"
#include "fanout/board/board_rows.h"
#include "measure/resources.h"
#include "process/duration_flag.h"

namespace rpcbench {
namespace {

constexpr std::size_t kFrameBytes = 140'000;  // about

struct Flags {
  std::vector<int> streams = {200};
  int zstd_level = DefaultEncoder(Codec::kZstd).level;
  int brotli_level = DefaultEncoder(Codec::kBrotli).level;
  int window = DefaultEncoder(Codec::kZstd).window_log;
  std::string tick = "50ms";
  std::string warm_up = "2s";
  std::string epoch = "30s";
  bool no_canary = false;
  bool no_pinning = false;
  bool own_windows = false;
  BoardOptions options;  // the rest is set in place
};

void DeclareEncoders(CLI::App& app, Flags& flags) {
  app.add_option("--zstd-level", flags.zstd_level, "Of the zstd rows")->capture_default_str();
  app.add_option("--brotli-level", flags.brotli_level, "Of the brotli rows; its \"quality\"")
      ->capture_default_str();
  app.add_option("--window", flags.window,
                 "Log2 of the bytes that a frame may refer back to, of both codecs")
      ->capture_default_str();
  app.add_flag("--own-windows", flags.own_windows,
               "zstd's per_stream rows: a window for each stream instead of one for all");
  app.add_option("--encode-threads", flags.options.encode_threads,
                 "Of per_stream rows; 0: one for each CPU that the row runs on")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--epoch", flags.epoch, "How often zstd's cohorts are merged")
      ->capture_default_str();
  app.add_flag("--no-canary", flags.no_canary,
               "Do not decode each cohort's bytes as they are made");
}

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--streams", flags.streams, "Numbers of streams, one row each")
      ->delimiter(',')
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  DeclareEncoders(app, flags);
  app.add_option("--rate", flags.options.rate, "Commands a second, of all producers together")
      ->check(CLI::Range(0.1, 1e6))
      ->capture_default_str();
  app.add_option("--producers", flags.options.producers, "Who send them, each at its own phase")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--tick", flags.tick, "How often the board is rendered")->capture_default_str();
  app.add_option("--warm-up", flags.warm_up, "Before each window; the streams are open by then")
      ->capture_default_str();
  app.add_option("--data", flags.options.data,
                 "An existing folder for each row's database, which is removed with its row; "
                 "default: the system's for temporary files")
      ->check(CLI::ExistingDirectory);
  app.add_option("--seed", flags.options.seed, "Of the board and the commands")
      ->capture_default_str();
  app.add_option("--sse-load", flags.options.sse_load,
                 "The program that has the streams of wire rows; default: beside this one")
      ->check(CLI::ExistingFile);
  app.add_flag("--no-pinning", flags.no_pinning, "Leave both processes to the scheduler");
}

EncoderOptions Checked(Codec codec, int level, int window) {
  EncoderOptions encoder = DefaultEncoder(codec);
  encoder.level = level;
  encoder.window_log = window;
  if (const auto warning = CheckEncoder(encoder, kFrameBytes)) {
    fmt::print(stderr, "board: warning: {}\n", *warning);
  }
  return encoder;
}

// Throws Error for what makes no sense.
void Check(Flags& flags) {
  BoardOptions& options = flags.options;
  options.zstd = Checked(Codec::kZstd, flags.zstd_level, flags.window);
  options.brotli = Checked(Codec::kBrotli, flags.brotli_level, flags.window);
  options.tick = ParseDuration(flags.tick);
  options.warm_up = ParseDuration(flags.warm_up);
  options.epoch = ParseDuration(flags.epoch);
  if (options.tick.count() == 0) throw Error("--tick 0: give more than nothing, such as 50ms");
  if (options.epoch.count() == 0) throw Error("--epoch 0: give more than nothing, such as 30s");
  options.canary = !flags.no_canary;
  options.shared_window = !flags.own_windows;
  if (flags.no_pinning) return;
  const CpuSplit split = SplitAllowedCpus();
  options.all_cpus = AllowedCpus();
  options.client_cpus = split.client;
  options.server_cpus = split.server;
}

// FULL and NORMAL differ by what a sync costs, which is nothing in memory.
void WarnOfMemory(const BoardOptions& options) {
  const auto folder = options.data.empty() ? std::filesystem::temp_directory_path() : options.data;
  struct statfs facts {};
  if (statfs(folder.c_str(), &facts) == 0 && facts.f_type == TMPFS_MAGIC) {
    fmt::print(stderr,
               "board: warning: {} is in memory, where FULL costs nothing; --data names a folder "
               "on a disk\n",
               folder.string());
  }
}

int Main(int argc, char** argv) {
  Flags flags;
  BenchProgram program;
  program.name = "board";
  program.description =
      "A board of 200 cards that 200 producers change and many streams watch: CPU, bytes, times "
      "and checks.";
  program.window_seconds = 10;
  program.columns = {{"cores", "cores", 3, 1, ""},
                     {"encode cores", "encode_cores", 3, 1, ""},
                     {"B/frame", "bytes_frame", 0, 1, ""},
                     {"KiB/stream", "heap_stream", 1, 1.0 / 1024, ""},
                     {"frames/s", "frames_s", 0, 1, ""},
                     {"tick p50 ms", "tick_p50_ms", 2, 1, ""},
                     {"tick p99 ms", "tick_p99_ms", 2, 1, ""},
                     {"commit p50 ms", "due_commit_p50_ms", 2, 1, ""},
                     {"cohorts", "cohorts", 0, 1, ""}};
  program.declare = [&](CLI::App& app) { Declare(app, flags); };
  program.rows = [&](const GoogleFlags& google) {
    Check(flags);
    const std::chrono::nanoseconds window(static_cast<std::int64_t>(google.min_time * 1e9));
    return BoardRows(flags.streams, flags.options, window);
  };
  program.prepare = [&] { WarnOfMemory(flags.options); };
  return RunBenchProgram(argc, argv, program);
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
