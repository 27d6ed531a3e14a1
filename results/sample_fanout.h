// The fan-out's part of the run that nobody measured. Never a result.
#pragma once

#include <filesystem>

#include "results/sample_run.h"

namespace rpcbench {

// Writes fanout/board.json, fanout/encoders.json and fanout/push.json: the board with zstd, brotli
// and identity, 1 to 5,000 streams, an encoder each or shared; 13 encoders; sse and nchan with
// 2,000 and 5,000 streams. Two rows are skipped, and with options.good false one is invalid. Throws
// Error.
void WriteSampleFanout(const std::filesystem::path& folder, const SampleOptions& options);

}  // namespace rpcbench
