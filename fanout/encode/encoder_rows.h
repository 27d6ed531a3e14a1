// Which settings of the encoders are measured, and which are refused and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/row.h"

namespace rpcbench {

struct EncoderRowsOptions {
  int streams = 200;  // that watch the board
  int ticks = 200;    // of the board that are measured
  std::size_t most_heap_mb = 4096;
  std::uint64_t seed = 1;
  // Called with a sentence when a row begins whose setting is bad but not refused.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// BenchmarkBoardLevels/<setting>/window:<log2>: every level at 2^18 and 2^19 bytes; brotli 4 at
// 2^22, its library's default; a window that holds no frame; and what browsers do not decode, as
// rows that are skipped with the reason.
std::vector<RowSpec> BoardLevelRows(const EncoderRowsOptions& options);

// BenchmarkHeapPerStream/<setting>/streams:20, with the window 2^19 unless the name says another.
std::vector<RowSpec> HeapRows(const EncoderRowsOptions& options);

}  // namespace rpcbench
