// Where and with what a run was made: the part of the manifest that no framework knows.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace rpcbench {

// {"date", "host", "kernel", "os", "compiler", "flags", "build", "commit", "allocator",
// "descriptors",
//  "congestion_control", "clocksource", "machine": {"cpu", "cores", "memory_mb"}}. Unknown ones are
//  empty strings.
nlohmann::json Environment();

}  // namespace rpcbench
