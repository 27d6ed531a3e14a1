#include "fanout/encode/chunk.h"

#include <gtest/gtest.h>

namespace rpcbench {
namespace {

TEST(ChunkTest, IsFramedAsOneHttpChunk) {
  const Chunk chunk("data: 1\n\n", 1);
  EXPECT_EQ(chunk.framed(), "9\r\ndata: 1\n\n\r\n");
  EXPECT_EQ(chunk.body(), "data: 1\n\n");
  EXPECT_EQ(chunk.events(), 1u);
}

TEST(ChunkTest, TheSizeIsInHexadecimalWithoutLeadingZeros) {
  for (const auto& [size, head] : {std::pair<std::size_t, std::string>{1, "1\r\n"},
                                   {15, "f\r\n"},
                                   {16, "10\r\n"},
                                   {255, "ff\r\n"},
                                   {256, "100\r\n"},
                                   {1 << 20, "100000\r\n"}}) {
    const std::string body(size, 'x');
    const Chunk chunk(body, 3);
    EXPECT_EQ(chunk.framed(), head + body + "\r\n") << size;
    EXPECT_EQ(chunk.body(), body) << size;
    EXPECT_EQ(chunk.events(), 3u);
  }
}

TEST(ChunkTest, AnyBytesAreKept) {
  const std::string body("\0\r\n\xff\n0\r\n\r\n", 10);
  EXPECT_EQ(Chunk(body, 0).body(), body);
}

}  // namespace
}  // namespace rpcbench
