// A shell command as a person gives it: what it says and how it ends. For tests only.
#pragma once

#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <string>

namespace rpcbench {

struct ShellResult {
  int status = -1;     // the exit status; -1 if it has none
  std::string output;  // standard output; with "2>&1" in the command standard error too
};

inline ShellResult RunShell(const std::string& command) {
  ShellResult result;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  std::array<char, 4096> bytes;
  for (std::size_t got; (got = fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) {
    result.output.append(bytes.data(), got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace rpcbench
