#include "echo/hold_meter.h"

#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

TEST(HoldMeterTest, EmptyReportIsZero) {
  HoldMeter meter;
  const HoldReport report = meter.Report();
  EXPECT_EQ(report.calls, 0u);
  EXPECT_EQ(report.least, 0ns);
  EXPECT_EQ(report.p99, 0ns);
}

TEST(HoldMeterTest, KnownDistribution) {
  HoldMeter meter;
  for (int ms = 1; ms <= 100; ++ms) {
    meter.Enter();
    meter.Leave(std::chrono::milliseconds(ms));
  }
  const HoldReport report = meter.Report();
  EXPECT_EQ(report.calls, 100u);
  EXPECT_EQ(report.least, 1ms);
  EXPECT_EQ(report.most, 100ms);
  EXPECT_EQ(report.p50, 50ms + 10us);  // the upper edge of its bin
  EXPECT_EQ(report.p99, 99ms + 10us);
  EXPECT_EQ(report.peak_in_flight, 1);
}

TEST(HoldMeterTest, PeakCountsDroppedRequestsTooAndResetKeepsWhatIsHeld) {
  HoldMeter meter;
  for (int i = 0; i < 5; ++i) meter.Enter();
  meter.Drop();
  meter.Leave(1ms);
  EXPECT_EQ(meter.Report().peak_in_flight, 5);
  meter.Reset();
  EXPECT_EQ(meter.Report().peak_in_flight, 3);
  EXPECT_EQ(meter.Report().calls, 0u);
}

TEST(HoldMeterTest, TimesBeyondTheBinsAreCounted) {
  HoldMeter meter;
  meter.Enter();
  meter.Leave(5s);
  EXPECT_EQ(meter.Report().calls, 1u);
  EXPECT_EQ(meter.Report().most, 5s);
}

}  // namespace
}  // namespace rpcbench
