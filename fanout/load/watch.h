// sse_load for a person: open, watch for a while, one table.
#pragma once

#include <chrono>

#include "fanout/load/protocol.h"

namespace rpcbench {

// Prints to standard output and, while it goes on, to standard error. Ends early, with its table,
// on Ctrl-C. True if all streams opened and nothing was wrong. Throws Error if it cannot begin.
bool WatchStreams(const StreamLoadOptions& options, std::chrono::nanoseconds window);

}  // namespace rpcbench
