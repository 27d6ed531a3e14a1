// A load's report for a person.
#pragma once

#include <string>

#include "fanout/load/protocol.h"

namespace rpcbench {

// Lines with their ends; counts, rates, latency if the events said when they were sent.
std::string TableOf(const StreamLoadReport& report);

}  // namespace rpcbench
