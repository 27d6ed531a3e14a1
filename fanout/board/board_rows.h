// The rows of the shared board: which there are, and what runs one.
#pragma once

#include <chrono>
#include <vector>

#include "bench/row.h"
#include "fanout/board/board_options.h"

namespace rpcbench {

// Every combination for each number of streams, sinks before wires; identity has no encoder and
// hence no row per stream. Those that cannot be run here have the reason. `options` outlives the
// rows. A row's every repeat is a run of its own, warm-up included.
std::vector<RowSpec> BoardRows(const std::vector<int>& streams, const BoardOptions& options,
                               std::chrono::nanoseconds window);

}  // namespace rpcbench
