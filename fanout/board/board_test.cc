#include "fanout/board/board.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

std::string Rendered(const Board& board) {
  std::string html;
  board.Render(html);
  return html;
}

int Times(const std::string& text, const std::string& part) {
  int times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

TEST(BoardTest, IsAsLargeAsTheWorkloadSays) {
  for (const std::uint64_t seed : {1u, 2u, 12345u}) {
    Board board(seed);
    EXPECT_THAT(Rendered(board).size(), AllOf(Ge(137'000u), Le(141'000u))) << "seed " << seed;
    for (int card = 0; card < board.cards(); ++card) board.Set(card, 999);
    EXPECT_THAT(Rendered(board).size(), AllOf(Ge(137'000u), Le(141'000u))) << "seed " << seed;
  }
}

TEST(BoardTest, IsOneLine) {
  EXPECT_EQ(Rendered(Board(1)).find_first_of("\r\n"), std::string::npos);
}

TEST(BoardTest, ShowsEachCardOnceWithItsCount) {
  Board board(1);
  board.Set(17, 123);
  const std::string html = Rendered(board);
  for (int card = 0; card < kCards; ++card) {
    EXPECT_EQ(Times(html, fmt::format("data-card=\"{}\"", card)), 1);
  }
  EXPECT_EQ(Times(html, "class=\"count\">0</b>"), kCards - 1);
  const auto at = html.find("data-card=\"17\"");
  const auto next = html.find("data-card=\"18\"");
  EXPECT_THAT(html.substr(at, next - at), HasSubstr("class=\"count\">123</b>"));
}

TEST(BoardTest, OnlyTheCountChanges) {
  Board board(1);
  const std::string before = Rendered(board);
  board.Increment(42);
  const std::string after = Rendered(board);
  ASSERT_EQ(before.size(), after.size());
  int differing = 0;
  for (std::size_t i = 0; i < before.size(); ++i) differing += before[i] != after[i] ? 1 : 0;
  EXPECT_EQ(differing, 1);
  EXPECT_EQ(board.count(42), 1);
  EXPECT_EQ(board.count(41), 0);
}

TEST(BoardTest, TheSeedMakesIt) {
  EXPECT_EQ(Rendered(Board(7)), Rendered(Board(7)));
  EXPECT_NE(Rendered(Board(7)), Rendered(Board(8)));
}

TEST(BoardTest, RenderAppends) {
  std::string html = "before";
  Board(1, 1).Render(html);
  EXPECT_TRUE(html.starts_with("before<article"));
  EXPECT_TRUE(html.ends_with("</article>"));
}

TEST(BoardTest, MayBeEmptyAndMayCountFar) {
  EXPECT_EQ(Rendered(Board(1, 0)), "");
  Board board(1, 2);
  board.Set(0, std::int64_t{1} << 62);
  board.Set(1, -1);
  EXPECT_THAT(Rendered(board), AllOf(HasSubstr(">4611686018427387904<"), HasSubstr(">-1<")));
}

}  // namespace
}  // namespace rpcbench
