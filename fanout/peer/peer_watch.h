// sse_load --peer: what an event costs a push server, for a person.
#pragma once

#include <chrono>

#include "fanout/peer/push_options.h"

namespace rpcbench {

// Prints a table to standard output. True if nothing was wrong. Throws Error if it cannot begin.
bool WatchPeer(PushOptions options, std::chrono::nanoseconds window);

}  // namespace rpcbench
