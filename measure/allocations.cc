#include "measure/allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace rpcbench {
namespace {

// Process-wide by nature: malloc has no other place to look.
std::atomic<bool> counting{false};
std::atomic<std::uint64_t> allocation_count{0};
std::atomic<std::uint64_t> byte_count{0};

}  // namespace

void StartCountingAllocations() {
  allocation_count = 0;
  byte_count = 0;
  counting = true;
}

AllocationCount StopCountingAllocations() {
  counting = false;
  return {allocation_count, byte_count};
}

#ifdef RPCBENCH_SANITIZED

bool CanCountAllocations() {
  return false;
}

}  // namespace rpcbench

#else

bool CanCountAllocations() {
  return true;
}

namespace {

void Tell(std::size_t size) {
  if (!counting.load(std::memory_order_relaxed)) return;
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  byte_count.fetch_add(size, std::memory_order_relaxed);
}

}  // namespace
}  // namespace rpcbench

// glibc's own entry points, exported for replacements such as these.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  rpcbench::Tell(size);
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  rpcbench::Tell(count * size);
  return __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  rpcbench::Tell(size);
  return __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  rpcbench::Tell(size);
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  rpcbench::Tell(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  rpcbench::Tell(size);
  void* const memory = __libc_memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}
}

#endif
