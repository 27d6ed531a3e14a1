#include "fanout/encode/encoder_rows.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "echo/error.h"
#include "fanout/encode/codec.h"
#include "fanout/encode/heap_page.h"
#include "fanout/encode/live_heap.h"
#include "fanout/encode/live_levels.h"

namespace rpcbench {
namespace {

constexpr int kImplied = 0;       // the window that the level brings
constexpr int kUsualWindow = 19;  // four frames of the board
constexpr int kDefaultElsewhere = 22;
constexpr int kTooSmall = 16;  // holds no frame of the board
constexpr int kTooLarge = 24;

EncoderOptions Zstd(int level, int window_log) {
  return {.codec = Codec::kZstd, .level = level, .window_log = window_log, .low_memory = false};
}

EncoderOptions Brotli(int level, int window_log) {
  return {.codec = Codec::kBrotli, .level = level, .window_log = window_log, .low_memory = false};
}

EncoderOptions LowMemory(EncoderOptions options) {
  options.low_memory = true;
  return options;
}

// 1, 3 and 7 are the partners of another library's fastest, default and better; brotli 4 is what
// the published board ran with. The rest shows where those stand.
std::vector<EncoderOptions> Levels(int window_log) {
  std::vector<EncoderOptions> levels;
  for (const int level : {1, 3, 7, -1, 5, 9, 12}) levels.push_back(Zstd(level, window_log));
  levels.push_back(LowMemory(Zstd(1, window_log)));
  for (const int level : {4, 3, 5, 6, 9}) levels.push_back(Brotli(level, window_log));
  return levels;
}

// A row with what CheckEncoder says of its setting: skipped if that is refused, which is no failure
// of the program.
template <class Make>
RowSpec RowOf(const EncoderOptions& encoder, std::size_t frame_bytes,
              const EncoderRowsOptions& options, const std::string& name, Make make) {
  RowSpec row;
  row.name = name;
  row.count_allocations = false;  // the heap is counted in each encoder
  std::optional<std::string> warning;
  try {
    warning = CheckEncoder(encoder, frame_bytes);
  } catch (const Error& refused) {
    row.skipped = refused.what();
  }
  row.start = [warning, make, warn = options.warn] {
    if (warning) warn(*warning);
    return make();
  };
  return row;
}

}  // namespace

std::vector<RowSpec> BoardLevelRows(const EncoderRowsOptions& options) {
  std::vector<EncoderOptions> encoders = Levels(18);
  for (const EncoderOptions& encoder : Levels(kUsualWindow)) encoders.push_back(encoder);
  encoders.push_back(Brotli(4, kDefaultElsewhere));
  encoders.push_back(Zstd(1, kTooSmall));
  encoders.push_back(Zstd(20, kImplied));
  encoders.push_back(Brotli(4, kTooLarge));

  const std::size_t frame_bytes = BoardFrameBytes(options.seed);
  std::vector<RowSpec> rows;
  for (const EncoderOptions& encoder : encoders) {
    const std::string name =
        fmt::format("BenchmarkBoardLevels/{}/window:{}", NameOf(encoder), WindowLogOf(encoder));
    const LevelsOptions levels{.encoder = encoder,
                               .streams = options.streams,
                               .ticks = options.ticks,
                               .most_heap = options.most_heap_mb << 20,
                               .seed = options.seed};
    rows.push_back(RowOf(
        encoder, frame_bytes, options, name,
        [levels]() -> std::unique_ptr<LiveRow> { return std::make_unique<LiveLevels>(levels); }));
  }
  return rows;
}

std::vector<RowSpec> HeapRows(const EncoderRowsOptions& options) {
  std::vector<EncoderOptions> encoders = Levels(kUsualWindow);
  encoders.push_back(LowMemory(Zstd(3, kUsualWindow)));
  encoders.push_back(Brotli(4, kDefaultElsewhere));

  std::vector<RowSpec> rows;
  for (const EncoderOptions& encoder : encoders) {
    std::string name =
        fmt::format("BenchmarkHeapPerStream/{}/streams:{}", NameOf(encoder), LiveHeap::kStreams);
    if (encoder.window_log != kUsualWindow) name += fmt::format("/window:{}", encoder.window_log);
    rows.push_back(RowOf(encoder, kHeapPageBytes, options, name,
                         [encoder, seed = options.seed]() -> std::unique_ptr<LiveRow> {
                           return std::make_unique<LiveHeap>(encoder, seed);
                         }));
  }
  return rows;
}

}  // namespace rpcbench
