#include "load/find_rate.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace rpcbench {
namespace {

// A server that keeps rates up to `limit`.
std::vector<RateStep> Search(double limit, const RateSearch& search = {}) {
  return FindRate(search, [&](double rate) {
    return RateStep{
        .rate = rate, .qps = std::min(rate, limit), .latency = 0, .held = rate <= limit};
  });
}

TEST(FindRateTest, ComesWithinItsPrecisionFromBelow) {
  for (const double limit : {3.0, 700.0, 1000.0, 1001.0, 32'000.0, 777'777.0}) {
    const auto steps = Search(limit);
    const RateStep* best = BestOf(steps);
    ASSERT_NE(best, nullptr) << limit;
    EXPECT_LE(best->rate, limit);
    EXPECT_GE(best->rate * 1.05, limit);
    EXPECT_LT(steps.size(), 20u);
  }
}

TEST(FindRateTest, NothingHolds) {
  const auto steps = Search(0.5);
  EXPECT_EQ(BestOf(steps), nullptr);
  EXPECT_LT(steps.size(), 12u);
}

TEST(FindRateTest, AllHolds) {
  const auto steps = Search(1e9, {.most = 50'000});
  EXPECT_EQ(BestOf(steps)->rate, 50'000);
}

// A rate that fails once by chance ends the search below it, but never above what held.
TEST(FindRateTest, AStumbleIsTakenForALimit) {
  int probes = 0;
  const auto steps = FindRate({}, [&](double rate) {
    return RateStep{.rate = rate, .qps = rate, .latency = 0, .held = ++probes != 3};
  });
  EXPECT_LT(BestOf(steps)->rate, 4000);
  EXPECT_GT(BestOf(steps)->rate, 2000);
}

}  // namespace
}  // namespace rpcbench
