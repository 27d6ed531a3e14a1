#include "load/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "echo/error.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

TEST(ScheduleTest, EvenCallsAreAsFarApartAsTheRateSays) {
  EXPECT_THAT(MakeSchedule(Arrival::kEven, 4, 1s, 1),
              testing::ElementsAre(0ms, 250ms, 500ms, 750ms));
  const auto thirds = MakeSchedule(Arrival::kEven, 3, 1000s, 1);
  ASSERT_EQ(thirds.size(), 3000u);
  EXPECT_NEAR(static_cast<double>(thirds.back().count()), 2999e9 / 3, 2);  // no error adds up
}

TEST(ScheduleTest, PoissonCallsComeByChanceAtTheSameRate) {
  const auto schedule = MakeSchedule(Arrival::kPoisson, 1000, 100s, 7);
  const auto count = static_cast<double>(schedule.size());
  EXPECT_NEAR(count, 100'000, 5 * std::sqrt(100'000));
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 1; i < schedule.size(); ++i) {
    const auto gap = static_cast<double>((schedule[i] - schedule[i - 1]).count());
    ASSERT_GE(gap, 0);
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / (count - 1);
  const double variance = squares / (count - 1) - mean * mean;
  EXPECT_NEAR(std::sqrt(variance) / mean, 1, 0.02);  // an exponential's
  EXPECT_LT(schedule.back(), 100s);
}

TEST(ScheduleTest, TheSeedDecides) {
  EXPECT_EQ(MakeSchedule(Arrival::kPoisson, 100, 1s, 1),
            MakeSchedule(Arrival::kPoisson, 100, 1s, 1));
  EXPECT_NE(MakeSchedule(Arrival::kPoisson, 100, 1s, 1),
            MakeSchedule(Arrival::kPoisson, 100, 1s, 2));
}

TEST(ScheduleTest, ArrivalsHaveNames) {
  EXPECT_EQ(ParseArrival("even"), Arrival::kEven);
  EXPECT_EQ(ParseArrival("poisson"), Arrival::kPoisson);
  EXPECT_THROW(ParseArrival("odd"), Error);
}

}  // namespace
}  // namespace rpcbench
