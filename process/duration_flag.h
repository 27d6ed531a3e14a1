// Durations on the command line: "30ms", "1.5s", "200us", "0".
#pragma once

#include <chrono>
#include <string>

namespace rpcbench {

// Throws Error that says what is allowed; negative ones are not.
std::chrono::nanoseconds ParseDuration(const std::string& text);

}  // namespace rpcbench
