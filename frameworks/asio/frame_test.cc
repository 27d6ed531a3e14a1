#include "frameworks/asio/frame.h"

#include <gtest/gtest.h>

namespace rpcbench {
namespace {

std::string FrameOf(CallId id, const std::string& body) {
  std::string out;
  AppendFrame(id, out, [&](std::string& bytes) { bytes += body; });
  return out;
}

TEST(FrameTest, RoundTripAtEverySplit) {
  const std::string bytes = FrameOf(0x1122334455667788, "body") + FrameOf(2, "");
  Frame frame;
  const std::size_t first = kFrameHead + 4;
  for (std::size_t size = 0; size < first; ++size) {
    EXPECT_EQ(ReadFrame(std::string_view(bytes).substr(0, size), frame), FrameStatus::kPartial);
  }
  ASSERT_EQ(ReadFrame(bytes, frame), FrameStatus::kWhole);
  EXPECT_EQ(frame.id, 0x1122334455667788u);
  EXPECT_EQ(frame.body, "body");
  EXPECT_EQ(frame.size, first);
  ASSERT_EQ(ReadFrame(std::string_view(bytes).substr(first), frame), FrameStatus::kWhole);
  EXPECT_EQ(frame.id, 2u);
  EXPECT_TRUE(frame.body.empty());
}

TEST(FrameTest, ImpossibleLengthsAreBad) {
  Frame frame;
  EXPECT_EQ(ReadFrame(std::string(4, '\xff'), frame), FrameStatus::kBad) << "4 GB";
  EXPECT_EQ(ReadFrame(std::string(4, '\0'), frame), FrameStatus::kBad) << "shorter than the id";
  const std::string longest = FrameOf(1, std::string(kMaxFrameBody, 'x'));
  EXPECT_EQ(ReadFrame(longest, frame), FrameStatus::kWhole);
  EXPECT_EQ(ReadFrame(FrameOf(1, std::string(kMaxFrameBody + 1, 'x')), frame), FrameStatus::kBad);
}

}  // namespace
}  // namespace rpcbench
