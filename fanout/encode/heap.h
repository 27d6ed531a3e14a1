// Counts what a compression library holds on the heap, one counter an encoder.
#pragma once

#include <cstddef>
#include <limits>

namespace rpcbench {

// Gives out memory of malloc and remembers how much of it is out. One thread at a time; outlives
// every block. Neither copied nor moved: libraries keep its address.
class CountingHeap final {
 public:
  // Past `limit` bytes it acts as if memory were out.
  explicit CountingHeap(std::size_t limit = std::numeric_limits<std::size_t>::max())
      : limit_(limit) {}
  CountingHeap(const CountingHeap&) = delete;
  CountingHeap& operator=(const CountingHeap&) = delete;

  // Aligned for any type; null if memory is out.
  void* Allocate(std::size_t bytes);
  // Null is allowed, as libraries ask for it.
  void Free(void* block);

  std::size_t bytes() const { return bytes_; }  // held now, as asked for
  std::size_t blocks() const { return blocks_; }

  // The same for C libraries, which pass the heap through as a void*.
  static void* AllocateFrom(void* heap, std::size_t bytes);
  static void FreeTo(void* heap, void* block);

 private:
  const std::size_t limit_;
  std::size_t bytes_ = 0;
  std::size_t blocks_ = 0;
};

}  // namespace rpcbench
