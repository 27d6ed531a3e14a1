// What encoding costs a topic.
#pragma once

#include <chrono>
#include <cstdint>

#include "measure/thread_cpu.h"  // whoever fills a meter reads this clock

namespace rpcbench {

struct EncodeMeter {
  std::uint64_t encodes = 0;
  std::uint64_t bytes = 0;  // that came out
  std::uint64_t failures = 0;
  std::chrono::nanoseconds encode_cpu{0};
  std::chrono::nanoseconds canary_cpu{0};
};

}  // namespace rpcbench
