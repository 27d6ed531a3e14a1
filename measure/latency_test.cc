#include "measure/latency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

double Ns(std::chrono::duration<double> time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

// 1..1000 us, shuffled over three logs: every percentile is known exactly.
TEST(LatencyTest, KnownDistributionThroughLogAndMerge) {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  std::shuffle(values.begin(), values.end(), std::mt19937(3));
  LatencyLog logs[3];
  for (auto& log : logs) log.Reset(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    logs[i % 3].Add(std::chrono::microseconds(values[i]));
  LatencySet set;
  for (const auto& log : logs) set.Merge(log);
  set.Sort();
  EXPECT_EQ(set.count(), 1000u);
  EXPECT_DOUBLE_EQ(Ns(set.Min()), 1e3);
  EXPECT_DOUBLE_EQ(Ns(set.Max()), 1e6);
  EXPECT_DOUBLE_EQ(Ns(set.Mean()), 500.5e3);
  EXPECT_DOUBLE_EQ(Ns(set.Percentile(0.50)), 500e3);
  EXPECT_DOUBLE_EQ(Ns(set.Percentile(0.99)), 990e3);
  EXPECT_DOUBLE_EQ(Ns(set.Percentile(0.999)), 999e3);
  EXPECT_DOUBLE_EQ(Ns(set.Percentile(0.95)), 950e3);
  EXPECT_DOUBLE_EQ(Ns(set.Percentile(1)), 1e6);
  EXPECT_DOUBLE_EQ(set.ShareBelow(501us), 0.5);
  EXPECT_DOUBLE_EQ(set.ShareBelow(1s), 1);
}

TEST(LatencyTest, OneSampleIsEveryPercentile) {
  LatencyLog log;
  log.Reset(1);
  log.Add(7ns);
  LatencySet set;
  set.Merge(log);
  set.Sort();
  for (const double fraction : kFractions) EXPECT_DOUBLE_EQ(Ns(set.Percentile(fraction)), 7);
}

TEST(LatencyTest, NoSamplesAreZero) {
  LatencySet set;
  set.Sort();
  EXPECT_EQ(Ns(set.Percentile(0.99)), 0);
  EXPECT_EQ(Ns(set.Mean()), 0);
}

TEST(LatencyTest, AFullLogSaysSo) {
  LatencyLog log;
  log.Reset(1);
  const std::size_t room = 1;
  for (std::size_t i = 0; i < room; ++i) log.Add(1ns);
  EXPECT_FALSE(log.overflowed());
  log.Add(1ns);
  EXPECT_TRUE(log.overflowed());
  EXPECT_EQ(log.samples().size(), room);
  log.Reset(1);
  EXPECT_FALSE(log.overflowed());
}

TEST(LatencyTest, LabelsComeFromTheNumbers) {
  const std::vector<std::string> labels = {"p50", "p75", "p90", "p95", "p99", "p999"};
  std::vector<std::string> made;
  for (const double fraction : kFractions) made.emplace_back(LabelOf(fraction));
  EXPECT_EQ(made, labels);
}

}  // namespace
}  // namespace rpcbench
