#include "fanout/client/back_off.h"

#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

class BackOffTest : public testing::Test {
 protected:
  BackOff Make(std::chrono::milliseconds retry) {
    return BackOff({.retry = retry, .limit = 10s, .random = [this] { return random_; }});
  }

  double random_ = 0;
};

TEST_F(BackOffTest, FailuresDoubleUpToTheLimit) {
  random_ = 0.9999999;
  BackOff back_off = Make(1s);
  for (const auto most : {1s, 2s, 4s, 8s, 10s, 10s}) {
    const auto delay = back_off.AfterFailure();
    EXPECT_LE(delay, most);
    EXPECT_GE(delay, most - 1ms);
  }
}

TEST_F(BackOffTest, JitterHalvesAtMost) {
  BackOff back_off = Make(1s);
  EXPECT_EQ(back_off.AfterFailure(), 500ms);
  random_ = 0.5;
  EXPECT_EQ(back_off.AfterFailure(), 1500ms);
}

TEST_F(BackOffTest, ASuccessBeginsAnew) {
  BackOff back_off = Make(1s);
  for (int i = 0; i < 100; ++i) back_off.AfterFailure();
  back_off.Opened();
  EXPECT_EQ(back_off.AfterFailure(), 500ms);
}

TEST_F(BackOffTest, AfterAnEndItIsWhatTheServerSaid) {
  BackOff back_off = Make(1s);
  back_off.SetRetry(70s);
  EXPECT_EQ(back_off.AfterEnd(), 70s);
  EXPECT_EQ(back_off.AfterFailure(), 35s);  // also where that is over the limit
  EXPECT_EQ(back_off.AfterFailure(), 35s);
}

TEST_F(BackOffTest, NoRetryAtAllStillGrows) {
  BackOff back_off = Make(0s);
  EXPECT_EQ(back_off.AfterEnd(), 0ms);
  for (const auto delay : {1ms, 1ms, 2ms, 4ms}) EXPECT_EQ(back_off.AfterFailure(), delay);
}

}  // namespace
}  // namespace rpcbench
