#include "echo/delay_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using Clock = DelayLine<int>::Clock;

ServerOptions Delays(std::chrono::nanoseconds delay,
                     std::optional<std::chrono::nanoseconds> slow = {}) {
  ServerOptions options;
  options.delay = delay;
  options.slow_delay = slow;
  return options;
}

std::vector<int> Release(DelayLine<int>& line) {
  std::vector<int> released;
  line.ReleaseDue([&](int item) { released.push_back(item); });
  return released;
}

TEST(DelayLineTest, ReleasesInOrderAndOnlyWhatIsDue) {
  HoldMeter meter;
  DelayLine<int> line(Delays(30ms), meter);
  const auto now = Clock::now();
  line.Push(1, false, now - 40ms);
  line.Push(2, false, now - 31ms);
  line.Push(3, false, now + 1h);
  EXPECT_EQ(Release(line), (std::vector{1, 2}));
  EXPECT_EQ(line.size(), 1u);
  EXPECT_EQ(line.NextDue(), now + 1h + 30ms);
  EXPECT_GE(meter.Report().least, 31ms);
}

TEST(DelayLineTest, StampsOutOfOrderReleaseNothingEarly) {
  HoldMeter meter;
  DelayLine<int> line(Delays(30ms), meter);
  const auto now = Clock::now();
  line.Push(1, false, now - 40ms);
  line.Push(2, false, now + 1h);
  line.Push(3, false, now - 40ms);
  line.Push(4, false, now - 40ms);
  EXPECT_EQ(Release(line), std::vector{1});
  EXPECT_EQ(line.size(), 3u);
}

TEST(DelayLineTest, ReleasedOnesAreGoneBeforeTheirReplies) {
  HoldMeter meter;
  DelayLine<int> line(Delays(0ms), meter);
  line.Push(1, false);
  line.Push(2, false);
  line.ReleaseDue([&](int) { meter.Enter(2); });  // a client that sends anew, to another loop
  EXPECT_EQ(meter.Report().peak_in_flight, 4);
}

TEST(DelayLineTest, ZeroDelayIsDueAtOnce) {
  HoldMeter meter;
  DelayLine<int> line(Delays(0ms), meter);
  line.Push(1, true);
  EXPECT_EQ(Release(line), std::vector{1});
  EXPECT_EQ(line.NextDue(), std::nullopt);
}

TEST(DelayLineTest, SlowOnesDoNotHoldOthersBack) {
  HoldMeter meter;
  DelayLine<int> line(Delays(10ms, 300ms), meter);
  const auto now = Clock::now();
  line.Push(1, true, now - 20ms);
  line.Push(2, false, now - 15ms);
  EXPECT_EQ(line.NextDue(), now - 5ms);
  EXPECT_EQ(Release(line), std::vector{2});
  EXPECT_EQ(line.NextDue(), now + 280ms);
}

TEST(DelayLineTest, ClearDropsAndTellsTheMeter) {
  HoldMeter meter;
  DelayLine<int> line(Delays(1h), meter);
  line.Push(1, false);
  line.Push(2, true);
  line.Clear();
  EXPECT_EQ(line.size(), 0u);
  meter.Reset();
  EXPECT_EQ(meter.Report().peak_in_flight, 0);
}

}  // namespace
}  // namespace rpcbench
