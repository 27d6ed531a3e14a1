// Runs gnuplot on a script file, with a deadline.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace rpcbench {

// Waits until gnuplot has ended and returns what it wrote to standard error, mostly nothing. `what`
// begins the message of every Error: gnuplot is not installed, failed (with its own words), or was
// stopped at the deadline.
std::string RunGnuplot(const std::filesystem::path& script, std::chrono::seconds timeout,
                       const std::string& what);

}  // namespace rpcbench
