#include "fanout/encode/heap.h"

#include <brotli/encode.h>
#include <gtest/gtest.h>
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace rpcbench {
namespace {

TEST(CountingHeapTest, CountsWhatIsHeld) {
  CountingHeap heap;
  void* const first = heap.Allocate(100);
  void* const second = heap.Allocate(1);
  EXPECT_EQ(heap.bytes(), 101u);
  EXPECT_EQ(heap.blocks(), 2u);
  heap.Free(first);
  EXPECT_EQ(heap.bytes(), 1u);
  EXPECT_EQ(heap.blocks(), 1u);
  heap.Free(second);
  EXPECT_EQ(heap.bytes(), 0u);
  EXPECT_EQ(heap.blocks(), 0u);
}

TEST(CountingHeapTest, BlocksAreAlignedAndTheirOwn) {
  CountingHeap heap;
  void* blocks[8];
  for (std::size_t i = 0; i < 8; ++i) {
    blocks[i] = heap.Allocate(i * 7 + 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[i]) % alignof(std::max_align_t), 0u);
    std::memset(blocks[i], static_cast<int>(i), i * 7 + 1);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(static_cast<unsigned char*>(blocks[i])[i * 7], i);
    heap.Free(blocks[i]);
  }
}

TEST(CountingHeapTest, NullCanBeFreed) {
  CountingHeap heap;
  heap.Free(nullptr);
  EXPECT_EQ(heap.blocks(), 0u);
}

TEST(CountingHeapTest, PastItsLimitMemoryIsOut) {
  CountingHeap heap(100);
  void* const most = heap.Allocate(60);
  EXPECT_NE(most, nullptr);
  EXPECT_EQ(heap.Allocate(41), nullptr);
  EXPECT_EQ(heap.Allocate(std::numeric_limits<std::size_t>::max()), nullptr);
  EXPECT_EQ(heap.bytes(), 60u);
  void* const rest = heap.Allocate(40);
  EXPECT_NE(rest, nullptr);
  heap.Free(rest);
  heap.Free(most);
}

TEST(CountingHeapTest, AnImpossibleSizeIsNotGiven) {
  CountingHeap heap;
  EXPECT_EQ(heap.Allocate(std::numeric_limits<std::size_t>::max() - 1), nullptr);
  EXPECT_EQ(heap.blocks(), 0u);
}

TEST(CountingHeapTest, LibzstdGivesAllBack) {
  CountingHeap heap;
  ZSTD_CCtx* const context =
      ZSTD_createCCtx_advanced({CountingHeap::AllocateFrom, CountingHeap::FreeTo, &heap});
  const std::string text(10'000, 'x');
  char bytes[1000];
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{bytes, sizeof(bytes), 0};
  ASSERT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0u);
  EXPECT_GT(heap.bytes(), 100'000u);
  ZSTD_freeCCtx(context);
  EXPECT_EQ(heap.bytes(), 0u);
  EXPECT_EQ(heap.blocks(), 0u);
}

TEST(CountingHeapTest, LibbrotliencGivesAllBack) {
  CountingHeap heap;
  BrotliEncoderState* const state =
      BrotliEncoderCreateInstance(CountingHeap::AllocateFrom, CountingHeap::FreeTo, &heap);
  const std::string text(10'000, 'x');
  std::uint8_t bytes[1000];
  std::size_t left = text.size();
  std::size_t room = sizeof(bytes);
  const auto* next = reinterpret_cast<const std::uint8_t*>(text.data());
  std::uint8_t* free = bytes;
  ASSERT_TRUE(BrotliEncoderCompressStream(state, BROTLI_OPERATION_FLUSH, &left, &next, &room, &free,
                                          nullptr));
  EXPECT_GT(heap.bytes(), 100'000u);
  BrotliEncoderDestroyInstance(state);
  EXPECT_EQ(heap.bytes(), 0u);
  EXPECT_EQ(heap.blocks(), 0u);
}

}  // namespace
}  // namespace rpcbench
