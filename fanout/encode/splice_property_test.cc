// Random joins, lags, leaves, merges, seals, heartbeats and failures: whatever happens, what each
// stream decodes is a legal sequence of whole events, by libzstd and libbrotli and at each step.
#include <gtest/gtest.h>

#include <cstdint>

#include "fanout/encode/topic_world.h"

namespace rpcbench {
namespace {

constexpr int kSteps = 4000;

class SplicePropertyTest : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SplicePropertyTest, EachStreamDecodesToALegalSequence) {
  TopicWorld world(GetParam());
  for (int step = 0; step < kSteps && world.fault().empty(); ++step) {
    world.Step();
    ASSERT_EQ(world.fault(), "") << "seed " << GetParam() << ", step " << step;
  }
  world.CalmDown();
  EXPECT_EQ(world.fault(), "") << "seed " << GetParam();
  world.Close();
  EXPECT_EQ(world.fault(), "") << "seed " << GetParam();
  const TopicCounts counts = world.counts();
  EXPECT_EQ(counts.pending, 0u);
  EXPECT_EQ(counts.members, 0u);
  EXPECT_EQ(counts.privates, 0u);
  // It all happened.
  EXPECT_GT(counts.merges, 10u);
  EXPECT_GT(counts.laggard_moves, 10u);
  EXPECT_GT(counts.first_frames, 10u);
  EXPECT_GT(counts.rotations, 0u);
  EXPECT_GT(counts.failures, 10u);
  EXPECT_GT(counts.ledger.coalesced, 100u);
  EXPECT_GT(counts.ledger.evicted, 10u);
}

// A member that misses one chunk is found out: the test above can fail.
TEST_P(SplicePropertyTest, ALostChunkWouldBeNoticed) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    TopicWorld world(GetParam());
    bool lost = false;
    for (int step = 0; step < kSteps && !lost; ++step) {
      world.Step();
      lost = step > 500 && world.LoseOneChunk(codec);
    }
    ASSERT_TRUE(lost);
    EXPECT_NE(world.fault(), "") << ToString(codec);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, SplicePropertyTest, testing::Range<std::uint64_t>(1, 7));

}  // namespace
}  // namespace rpcbench
