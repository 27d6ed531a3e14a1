#include "fanout/encode/text_ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

namespace rpcbench {
namespace {

TEST(TextRingTest, TextsFollowEachOther) {
  TextRing ring(64);
  const std::string_view one = ring.Append("one");
  const std::string_view two = ring.Append("two");
  EXPECT_EQ(one, "one");
  EXPECT_EQ(two, "two");
  EXPECT_EQ(one.data() + one.size(), two.data());
  EXPECT_EQ(ring.OffsetOf(one), 0u);
  EXPECT_EQ(ring.OffsetOf(two), 3u);
  EXPECT_TRUE(ring.Holds(0));
}

TEST(TextRingTest, WhatIsElsewhereHasNoOffset) {
  TextRing ring(64);
  ring.Append("text");
  const std::string other = "text";
  EXPECT_EQ(ring.OffsetOf(other), std::nullopt);
}

TEST(TextRingTest, AJumpOverTheEndCounts) {
  TextRing ring(16);
  const std::string_view first = ring.Append("0123");
  for (int i = 0; i < 3; ++i) ring.Append("abc");  // 13 bytes; the next has no room
  const std::string_view next = ring.Append("4567");
  EXPECT_EQ(next.data(), first.data());
  EXPECT_EQ(ring.OffsetOf(next), 16u);
  EXPECT_FALSE(ring.Holds(3));
  EXPECT_TRUE(ring.Holds(4));  // "abc" is still there
}

TEST(TextRingTest, ATextTooLargeForItGetsALargerRing) {
  TextRing ring(16);
  const auto before = ring.OffsetOf(ring.Append("0123"));
  const std::string large(1000, 'x');
  const std::string_view kept = ring.Append(large);
  EXPECT_EQ(kept, large);
  EXPECT_FALSE(ring.Holds(*before));
  EXPECT_TRUE(ring.Holds(*ring.OffsetOf(kept)));
  EXPECT_GE(ring.capacity(), 4000u);
}

// Whatever it says it holds is as it was appended.
TEST(TextRingTest, WhatItHoldsIsWhole) {
  std::mt19937 random(1);
  TextRing ring(1000);
  struct Kept {
    std::string_view there;
    std::string text;
    std::uint64_t offset;
  };
  std::deque<Kept> all;
  std::uint64_t end = 0;
  std::size_t held = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::string text(1 + random() % 249, static_cast<char>('a' + i % 26));
    const std::string_view there = ring.Append(text);
    const auto offset = ring.OffsetOf(there);
    ASSERT_TRUE(offset);
    ASSERT_GE(*offset, end);
    end = *offset + text.size();
    all.push_back({there, text, *offset});
    while (all.size() > 50) all.pop_front();
    for (const Kept& kept : all) {
      if (!ring.Holds(kept.offset)) continue;
      ++held;
      ASSERT_EQ(kept.there, kept.text) << i;
      ASSERT_EQ(ring.OffsetOf(kept.there), kept.offset) << i;
    }
  }
  EXPECT_GT(held, 5000u * 5);  // of about eight that fit
}

}  // namespace
}  // namespace rpcbench
