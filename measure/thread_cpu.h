// What the calling thread has used so far.
#pragma once

#include <chrono>
#include <ctime>

namespace rpcbench {

// The processor time of the calling thread (CLOCK_THREAD_CPUTIME_ID). A system call: for spans of
// some microseconds and more.
inline std::chrono::nanoseconds ThreadCpu() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace rpcbench
