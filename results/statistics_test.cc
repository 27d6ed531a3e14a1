#include "results/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace rpcbench {
namespace {

std::vector<double> Normal(int count, double mean, double deviation, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> draw(mean, deviation);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(draw(random));
  return values;
}

TEST(MedianIntervalTest, FewValuesSayNothing) {
  EXPECT_FALSE(MedianInterval({}));
  EXPECT_FALSE(MedianInterval({1, 2}));
  EXPECT_TRUE(MedianInterval({1, 2, 3}));
}

TEST(MedianIntervalTest, LiesWithinTheValuesAndIsTheSameEachTime) {
  const std::vector<double> values = Normal(10, 100, 5, 1);
  const auto interval = MedianInterval(values);
  EXPECT_LT(interval->low, interval->high);
  EXPECT_GE(interval->low, *std::min_element(values.begin(), values.end()));
  EXPECT_LE(interval->high, *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(MedianInterval(values)->low, interval->low);
  EXPECT_EQ(MedianInterval({7, 7, 7, 7})->low, 7);
  EXPECT_EQ(MedianInterval({7, 7, 7, 7})->high, 7);
}

// What 95 % means: of many samples of a distribution, nineteen in twenty have its median inside.
// The bootstrap of ten values is a little short of that.
TEST(MedianIntervalTest, HoldsTheTrueMedianAsOftenAsItSays) {
  int inside = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const auto interval = MedianInterval(Normal(10, 100, 5, seed));
    inside += interval->low <= 100 && 100 <= interval->high ? 1 : 0;
  }
  EXPECT_GT(inside, 400 * 0.88);
  EXPECT_LT(inside, 400);
}

TEST(MannWhitneyTest, SmallSamplesAreExact) {
  // Three above three: one order of twenty, twice.
  EXPECT_NEAR(*MannWhitney({1, 2, 3}, {4, 5, 6}), 0.1, 1e-12);
  EXPECT_NEAR(*MannWhitney({4, 5, 6}, {1, 2, 3}), 0.1, 1e-12);
  EXPECT_NEAR(*MannWhitney({1, 2, 3, 4}, {5, 6, 7, 8}), 2.0 / 70, 1e-12);
  // U = 1 of 3 x 3: orders with U of 0 or 1, 8 or 9: four of twenty.
  EXPECT_NEAR(*MannWhitney({1, 2, 4}, {3, 5, 6}), 0.2, 1e-12);
  EXPECT_NEAR(*MannWhitney({1}, {2}), 1, 1e-12);
  EXPECT_NEAR(*MannWhitney({1, 4}, {2, 3}), 1, 1e-12);
  // Ten above ten: two orders of 184,756.
  EXPECT_NEAR(
      *MannWhitney({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}),
      2.0 / 184756, 1e-12);
}

TEST(MannWhitneyTest, TiesAndManyValuesAreApproximated) {
  EXPECT_EQ(*MannWhitney({5, 5, 5}, {5, 5, 5}), 1);
  // By hand: U = 3.5 of 16, one tie of two: (3.5 - 8 + 0.5) / sqrt(16 / 12 * (9 - 6 / 56)) = -1.16.
  EXPECT_NEAR(*MannWhitney({1, 2, 3, 5}, {2, 4, 6, 7}), 0.2454, 2e-3);
  const double exact_like = *MannWhitney(Normal(30, 0, 1, 1), Normal(30, 5, 1, 2));
  EXPECT_LT(exact_like, 1e-8);
  EXPECT_FALSE(MannWhitney({}, {1}));
}

// One in twenty of equal pairs is below 0.05, and not many more.
TEST(MannWhitneyTest, EqualSamplesAreSeldomCalledDifferent) {
  int called = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    called += *MannWhitney(Normal(10, 1, 1, 2 * seed), Normal(10, 1, 1, 2 * seed + 1)) < 0.05;
  }
  EXPECT_GT(called, 15);
  EXPECT_LT(called, 80);
}

TEST(BimodalTest, TwoGroupsApart) {
  EXPECT_TRUE(IsBimodal({1.0, 1.1, 1.05, 2.0, 2.1, 2.05}));
  EXPECT_TRUE(IsBimodal({5, 5, 5, 9, 9}));
  EXPECT_FALSE(IsBimodal({1, 2, 3, 4, 5, 6}));
  EXPECT_FALSE(IsBimodal({1, 1, 1, 1, 1, 1}));
  EXPECT_FALSE(IsBimodal({1, 1, 1, 1, 1, 9}));  // one that was disturbed is no second speed
  EXPECT_FALSE(IsBimodal({1, 1, 9, 9}));        // too few to tell
  for (unsigned seed = 0; seed < 200; ++seed) EXPECT_FALSE(IsBimodal(Normal(10, 1, 0.1, seed)));
}

}  // namespace
}  // namespace rpcbench
