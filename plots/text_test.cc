#include "plots/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

TEST(QuoteTest, DoublesQuotesAndKeepsBackslashes) {
  EXPECT_EQ(Quote(R"(Cap'n "Proto" a_b \n)"), R"('Cap''n "Proto" a_b \n')");
}

TEST(QuoteTest, ReplacesWhatAnSvgMayNotHold) {
  EXPECT_EQ(Quote("a\nb\x01"), "'a b '");
  EXPECT_EQ(Quote("µ \xff \xc3"), "'µ ? ?'");
  EXPECT_EQ(Quote("\xed\xa0\x80"), "'" + std::string(3, '?') + "'");
}

TEST(ShortenTest, CutsAtABlankAndWithinNoCharacter) {
  EXPECT_EQ(Shorten("short", 10), "short");
  EXPECT_EQ(Shorten("one two three four", 14), "one two...");
  EXPECT_EQ(Shorten("µµµµµµµµ", 6), "µµµ...");
}

TEST(WrapTest, BreaksAtBlanks) {
  EXPECT_THAT(Wrap("aa bb cc", 5), testing::ElementsAre("aa bb", "cc"));
  EXPECT_THAT(Wrap("a longestword b", 6), testing::ElementsAre("a", "longestword", "b"));
  EXPECT_THAT(Wrap("", 6), testing::IsEmpty());
}

}  // namespace
}  // namespace rpcbench
