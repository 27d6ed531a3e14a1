#include "fanout/load/seen_id.h"

#include <gtest/gtest.h>

namespace rpcbench {
namespace {

std::partial_ordering Compare(std::string_view one, std::string_view other) {
  return SeenId(one).Compare(SeenId(other));
}

TEST(SeenIdTest, NumbersAreInOrder) {
  EXPECT_EQ(Compare("9", "10"), std::partial_ordering::less);
  EXPECT_EQ(Compare("10", "10"), std::partial_ordering::equivalent);
  EXPECT_EQ(Compare("18446744073709551615", "7"), std::partial_ordering::greater);
}

TEST(SeenIdTest, BehindOnePrefixNumbersCount) {
  EXPECT_EQ(Compare("board-9", "board-10"), std::partial_ordering::less);
  EXPECT_EQ(Compare("likes7-2", "likes7-1"), std::partial_ordering::greater);
}

TEST(SeenIdTest, OtherPrefixesSayNothing) {
  EXPECT_EQ(Compare("likes-1", "board-2"), std::partial_ordering::unordered);
  EXPECT_EQ(Compare("", "1"), std::partial_ordering::unordered);
  EXPECT_EQ(Compare("", ""), std::partial_ordering::unordered);
  EXPECT_EQ(Compare("abc", "abd"), std::partial_ordering::unordered);
  EXPECT_EQ(Compare("abc", "abc"), std::partial_ordering::equivalent);
  EXPECT_EQ(Compare("99999999999999999999", "1"), std::partial_ordering::unordered);
}

TEST(SeenIdTest, SecondsBeforeTheNumberCountFirst) {
  EXPECT_EQ(Compare("1700000000:5", "1700000001:0"), std::partial_ordering::less);
  EXPECT_EQ(Compare("1700000001:1", "1700000001:0"), std::partial_ordering::greater);
  EXPECT_EQ(Compare("999:0", "1000:0"), std::partial_ordering::less);
  EXPECT_EQ(Compare("1:0", "2-0"), std::partial_ordering::unordered);
}

}  // namespace
}  // namespace rpcbench
