// Counts heap allocations of this process, C and C++, all threads and libraries.
#pragma once

#include <cstdint>

namespace rpcbench {

struct AllocationCount {
  std::uint64_t allocations =
      0;  // malloc, calloc, realloc, aligned ones; operator new comes through malloc
  std::uint64_t bytes = 0;  // as asked for
};

// Whether a pass counts allocations: counting costs time, so it is a pass of its own.
enum class Count { kNothing, kAllocations };

// Linking this file replaces glibc's malloc entry points by ones that count while counting is on
// and then go on to glibc's. While it is off they cost one load of a flag, so the timed passes run
// with glibc's allocator. Built with a sanitizer, which has an allocator of its own, nothing is
// counted and CanCountAllocations() is false.
bool CanCountAllocations();
// From zero, until StopCounting. Any thread, one at a time.
void StartCountingAllocations();
AllocationCount StopCountingAllocations();

}  // namespace rpcbench
