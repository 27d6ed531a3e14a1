#include "fanout/encode/zstd_settings.h"

#include <algorithm>

namespace rpcbench {
namespace {

constexpr int kWindowsShareLog = 3;
constexpr int kLeastBlock = 1 << 10;  // libzstd's bounds
constexpr int kMostBlock = ZSTD_BLOCKSIZE_MAX;
constexpr int kSmallBlock = 16 << 10;  // low memory: costs a few bytes each
constexpr unsigned kSmallTableLog = 15;

}  // namespace

std::size_t ZstdBlockOf(const EncoderOptions& options) {
  return static_cast<std::size_t>(std::clamp(1 << options.window_log >> kWindowsShareLog,
                                             kLeastBlock,
                                             options.low_memory ? kSmallBlock : kMostBlock));
}

void ShrinkZstdTables(ZSTD_compressionParameters& settings) {
  settings.hashLog = std::min(settings.hashLog, kSmallTableLog);
  settings.chainLog = std::min(settings.chainLog, kSmallTableLog);
}

}  // namespace rpcbench
