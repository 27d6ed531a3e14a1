#include "fanout/encode/heap.h"

#include <cstdlib>
#include <new>

namespace rpcbench {
namespace {

// In front of each block; as large as the strictest alignment, so that what follows is aligned too.
struct alignas(std::max_align_t) Head {
  std::size_t bytes;
};

}  // namespace

void* CountingHeap::Allocate(std::size_t bytes) {
  if (bytes > limit_ - bytes_ || bytes > std::numeric_limits<std::size_t>::max() - sizeof(Head)) {
    return nullptr;
  }
  void* const memory = std::malloc(sizeof(Head) + bytes);
  if (memory == nullptr) return nullptr;
  Head* const head = new (memory) Head{bytes};
  bytes_ += bytes;
  ++blocks_;
  return head + 1;
}

void CountingHeap::Free(void* block) {
  if (block == nullptr) return;
  Head* const head = static_cast<Head*>(block) - 1;
  bytes_ -= head->bytes;
  --blocks_;
  std::free(head);
}

void* CountingHeap::AllocateFrom(void* heap, std::size_t bytes) {
  return static_cast<CountingHeap*>(heap)->Allocate(bytes);
}

void CountingHeap::FreeTo(void* heap, void* block) {
  static_cast<CountingHeap*>(heap)->Free(block);
}

}  // namespace rpcbench
