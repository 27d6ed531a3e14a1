// What another process has used, from /proc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace rpcbench {

struct ProcessUse {
  std::chrono::nanoseconds user{0};  // since it started, in steps of a clock tick (10 ms)
  std::chrono::nanoseconds system{0};
  std::int64_t rss_kb = 0;

  ProcessUse& operator+=(const ProcessUse& other);
};

// All threads of a process. Throws Error that names it if there is none.
ProcessUse UseOf(pid_t pid);

// The processes whose parent is `parent`, by number.
std::vector<pid_t> ChildrenOf(pid_t parent);

// The processors it may run on; empty if there is no such process.
std::vector<int> CpusOf(pid_t pid);

}  // namespace rpcbench
