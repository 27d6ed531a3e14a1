// encoders: what levels, windows and low memory cost, without server or sockets.
//
//   BenchmarkBoardLevels    frames of the shared board to 200 streams, an encoder each
//   BenchmarkHeapPerStream  200 frames of a 57 KB page to each of 20 streams
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "bench/program.h"
#include "fanout/encode/encoder_rows.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

struct Flags {
  EncoderRowsOptions rows;
  bool no_pinning = false;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--streams", flags.rows.streams, "Streams that watch the board, an encoder each")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  app.add_option("--ticks", flags.rows.ticks,
                 "Frames of the board that are measured; a fifth of that comes before, to warm up")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--most-heap-mb", flags.rows.most_heap_mb,
                 "Heap of all encoders of a row together, in MiB; a row whose streams need more "
                 "has fewer, and its ticks are computed from those")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--seed", flags.rows.seed, "Of the board, the page and the changes")
      ->capture_default_str();
  app.add_flag("--no-pinning", flags.no_pinning, "Leave the program to the scheduler");
}

std::vector<RowSpec> Rows(const Flags& flags) {
  std::vector<RowSpec> rows = BoardLevelRows(flags.rows);
  for (RowSpec& row : HeapRows(flags.rows)) rows.push_back(std::move(row));
  return rows;
}

int Main(int argc, char** argv) {
  Flags flags;
  flags.rows.warn = [](const std::string& warning) {
    fmt::print(stderr, "encoders: warning: {}\n", warning);
  };
  BenchProgram program;
  program.name = "encoders";
  program.description =
      "Encodes a board's and a page's successive frames, an encoder for each stream, on one core.";
  program.columns = {{"B/frame", "bytes_frame", 0, 1, ""},
                     {"us/frame", "us_frame", 1, 1, ""},
                     {"cores", "cores", 2, 1, ""},
                     {"MiB/stream", "heap_stream", 2, 1.0 / (1 << 20), ""},
                     {"tick p99 ms", "tick_p99_ms", 2, 1, ""}};
  program.declare = [&](CLI::App& app) { Declare(app, flags); };
  program.rows = [&](const GoogleFlags&) { return Rows(flags); };
  program.prepare = [&] {
    if (!flags.no_pinning) PinTo({AllowedCpus().back()});
  };
  return RunBenchProgram(argc, argv, program);
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
