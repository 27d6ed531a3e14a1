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

struct Setting {
  EncoderOptions encoder;
  bool shared_window = false;
};

std::string NameOf(const Setting& setting) {
  return NameOf(setting.encoder) + (setting.shared_window ? "_shared" : "");
}

Setting Zstd(int level, int window_log) {
  return {{.codec = Codec::kZstd, .level = level, .window_log = window_log, .low_memory = false}};
}

Setting Brotli(int level, int window_log) {
  return {{.codec = Codec::kBrotli, .level = level, .window_log = window_log, .low_memory = false}};
}

Setting LowMemory(Setting setting) {
  setting.encoder.low_memory = true;
  return setting;
}

Setting Shared(Setting setting) {
  setting.shared_window = true;
  return setting;
}

// 1, 3 and 7 are the partners of another library's fastest, default and better; brotli 4 is what
// the published board ran with. The rest shows where those stand.
std::vector<Setting> Levels(int window_log) {
  std::vector<Setting> levels;
  for (const int level : {1, 3, 7, -1, 5, 9, 12}) levels.push_back(Zstd(level, window_log));
  levels.push_back(LowMemory(Zstd(1, window_log)));
  for (const int level : {1, 3, 7}) levels.push_back(Shared(Zstd(level, window_log)));
  for (const int level : {4, 3, 5, 6, 9}) levels.push_back(Brotli(level, window_log));
  return levels;
}

// A row with what CheckEncoder says of its setting: skipped if that is refused, which is no failure
// of the program.
template <class Make>
RowSpec RowOf(const Setting& setting, std::size_t frame_bytes, const EncoderRowsOptions& options,
              const std::string& name, Make make) {
  RowSpec row;
  row.name = name;
  row.count_allocations = false;  // the heap is counted in each encoder
  std::optional<std::string> warning;
  try {
    warning = CheckEncoder(setting.encoder, frame_bytes);
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
  std::vector<Setting> settings = Levels(18);
  for (const Setting& setting : Levels(kUsualWindow)) settings.push_back(setting);
  settings.push_back(Brotli(4, kDefaultElsewhere));
  settings.push_back(Zstd(1, kTooSmall));
  settings.push_back(Zstd(20, kImplied));
  settings.push_back(Brotli(4, kTooLarge));

  const std::size_t frame_bytes = BoardFrameBytes(options.seed);
  std::vector<RowSpec> rows;
  for (const Setting& setting : settings) {
    const std::string name = fmt::format("BenchmarkBoardLevels/{}/window:{}", NameOf(setting),
                                         WindowLogOf(setting.encoder));
    const LevelsOptions levels{.encoder = setting.encoder,
                               .shared_window = setting.shared_window,
                               .streams = options.streams,
                               .ticks = options.ticks,
                               .most_heap = options.most_heap_mb << 20,
                               .seed = options.seed};
    rows.push_back(RowOf(
        setting, frame_bytes, options, name,
        [levels]() -> std::unique_ptr<LiveRow> { return std::make_unique<LiveLevels>(levels); }));
  }
  return rows;
}

std::vector<RowSpec> HeapRows(const EncoderRowsOptions& options) {
  std::vector<Setting> settings = Levels(kUsualWindow);
  settings.push_back(LowMemory(Zstd(3, kUsualWindow)));
  settings.push_back(Brotli(4, kDefaultElsewhere));

  std::vector<RowSpec> rows;
  for (const Setting& setting : settings) {
    std::string name =
        fmt::format("BenchmarkHeapPerStream/{}/streams:{}", NameOf(setting), LiveHeap::kStreams);
    if (setting.encoder.window_log != kUsualWindow) {
      name += fmt::format("/window:{}", setting.encoder.window_log);
    };
    rows.push_back(RowOf(setting, kHeapPageBytes, options, name,
                         [setting, seed = options.seed]() -> std::unique_ptr<LiveRow> {
                           return std::make_unique<LiveHeap>(setting.encoder, setting.shared_window,
                                                             seed);
                         }));
  }
  return rows;
}

}  // namespace rpcbench
