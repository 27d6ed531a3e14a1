// What encoding costs a topic.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace rpcbench {

struct EncodeMeter {
  std::uint64_t encodes = 0;
  std::uint64_t bytes = 0;  // that came out
  std::uint64_t failures = 0;
  std::chrono::nanoseconds encode_cpu{0};
  std::chrono::nanoseconds canary_cpu{0};
};

// The processor time of the calling thread (CLOCK_THREAD_CPUTIME_ID). A system call: for spans of
// some microseconds and more.
inline std::chrono::nanoseconds ThreadCpu() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace rpcbench
