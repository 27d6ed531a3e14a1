#include "fanout/encode/cohort.h"

#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/encode/decoder.h"
#include "fanout/encode/faulty_encoder.h"
#include "fanout/encode/watcher.h"

namespace rpcbench {
namespace {

using Lead = Cohort::Lead;

// A cohort, and members that are just an event number.
class CohortTest : public testing::Test {
 protected:
  std::unique_ptr<Cohort> Open(const CohortOptions& options, Codec codec = Codec::kZstd) {
    auto encoder = std::make_unique<FaultyEncoder>(MakeEncoder(DefaultEncoder(codec)), faults_);
    return std::make_unique<Cohort>(std::move(encoder), std::make_unique<Canary>(codec), "",
                                    options);
  }

  void Publish(Cohort& cohort, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t event = first; event <= last; ++event) {
      cohort.Encode(BoardEvent(event));
      ASSERT_TRUE(cohort.Check(BoardEvent(event)));
      cohort.Commit();
    }
  }

  static std::string Events(std::uint64_t first, std::uint64_t last) {
    std::string text;
    for (std::uint64_t event = first; event <= last; ++event) {
      text += BoardEvent(event);
    }
    return text;
  }

  static std::string Decode(Codec codec, std::string_view bytes) {
    std::string text;
    MakeDecoder(TokenOf(codec))->Decode(bytes, text);
    return text;
  }

  Faults faults_;
};

TEST_F(CohortTest, AJoinerIsSentTheLogThenSharedChunks) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    const auto cohort = Open({}, codec);
    Publish(*cohort, 1, 3);
    std::string bytes(cohort->Replay(Lead::kNone)->body());
    EXPECT_EQ(cohort->Replay(Lead::kNone)->events(), 3u);
    cohort->Enter();
    Publish(*cohort, 4, 5);
    bytes += cohort->Take(4)->body();
    bytes += cohort->Take(5)->body();
    EXPECT_FALSE(cohort->Has(6));
    EXPECT_EQ(Decode(codec, bytes), Events(1, 5)) << ToString(codec);
  }
}

TEST_F(CohortTest, AllMembersShareTheVeryBytes) {
  const auto cohort = Open({});
  Publish(*cohort, 1, 2);
  EXPECT_EQ(cohort->Replay(Lead::kNone), cohort->Replay(Lead::kNone));
  EXPECT_EQ(cohort->Replay(Lead::kEndOfFrame), cohort->Replay(Lead::kEndOfFrame));
  cohort->Enter();
  cohort->Enter();
  Publish(*cohort, 3, 3);
  EXPECT_EQ(cohort->Take(3), cohort->Take(3));
}

TEST_F(CohortTest, TakesNoJoinersPastTheBoundOfEvents) {
  const auto cohort = Open({.log_events = 2});
  Publish(*cohort, 1, 2);
  EXPECT_TRUE(cohort->takes_joiners());
  Publish(*cohort, 3, 3);
  EXPECT_FALSE(cohort->takes_joiners());
}

TEST_F(CohortTest, TakesNoJoinersPastTheBoundOfBytesButOneEventIsAlwaysShared) {
  const auto cohort = Open({.log_decoded_bytes = 10});
  Publish(*cohort, 1, 1);
  EXPECT_TRUE(cohort->takes_joiners());
  Publish(*cohort, 2, 2);
  EXPECT_FALSE(cohort->takes_joiners());
}

TEST_F(CohortTest, FreesWhatNoMemberNeedsOnceThereAreNoJoiners) {
  const auto cohort = Open({.log_events = 2});
  Publish(*cohort, 1, 1);
  cohort->Enter();
  cohort->Enter();
  Publish(*cohort, 2, 2);
  EXPECT_EQ(cohort->log_size(), 2u);  // a joiner would need both
  Publish(*cohort, 3, 3);
  EXPECT_EQ(cohort->log_size(), 2u);  // both members wait for 2
  cohort->Take(2);
  EXPECT_EQ(cohort->log_size(), 2u);  // the other one does
  cohort->Take(2);
  EXPECT_EQ(cohort->log_size(), 1u);
  cohort->Take(3);
  cohort->Leave(3);
  EXPECT_EQ(cohort->log_size(), 0u);
  cohort->Leave(4);
  EXPECT_EQ(cohort->members(), 0u);
}

TEST_F(CohortTest, KeepsNoMoreForALaggardThanItMayTake) {
  const auto cohort = Open({.log_events = 2, .lag_events = 4});
  Publish(*cohort, 1, 1);
  cohort->Enter();
  Publish(*cohort, 2, 5);
  EXPECT_EQ(cohort->log_size(), 4u);
  Publish(*cohort, 6, 100);
  EXPECT_EQ(cohort->log_size(), 0u);
  EXPECT_FALSE(cohort->Has(2));
  cohort->Enter();  // another member, that is not behind
  Publish(*cohort, 101, 101);
  cohort->Leave(2);  // what the laggard waited for is long gone
  EXPECT_EQ(cohort->log_size(), 1u);
  cohort->Take(101);
  EXPECT_EQ(cohort->log_size(), 0u);
  EXPECT_EQ(cohort->members(), 1u);
}

TEST_F(CohortTest, ASpliceLeadsFromOneFrameIntoAnother) {
  const auto old = Open({});
  Publish(*old, 1, 3);
  const auto next = Open({.first_event = 4});
  Publish(*next, 4, 6);
  std::string bytes(old->Replay(Lead::kNone)->body());
  const ChunkRef splice = next->Replay(Lead::kEndOfFrame);
  EXPECT_EQ(splice->events(), 3u);
  bytes += splice->body();
  EXPECT_EQ(Decode(Codec::kZstd, bytes), Events(1, 6));
}

// A later joiner must not be given the log as it was for an earlier one.
TEST_F(CohortTest, TheReplayGrowsWithTheLog) {
  const auto cohort = Open({});
  for (std::uint64_t event = 1; event <= 4; ++event) {
    Publish(*cohort, event, event);
    EXPECT_EQ(Decode(Codec::kZstd, cohort->Replay(Lead::kNone)->body()), Events(1, event));
  }
}

// What members must never do: it is why a laggard is moved and not simply sent the newest chunk.
TEST_F(CohortTest, SkippingAChunkWouldCorruptWhatFollows) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    const auto cohort = Open({}, codec);
    Publish(*cohort, 1, 1);
    std::string bytes(cohort->Replay(Lead::kNone)->body());
    cohort->Enter();
    Publish(*cohort, 2, 9);
    for (std::uint64_t event = 2; event <= 9; ++event) {
      const ChunkRef chunk = cohort->Take(event);
      bytes += event == 3 ? std::string_view() : chunk->body();
    }
    std::string text;
    try {
      text = Decode(codec, bytes);
    } catch (const Error&) {
      continue;  // noticed by the decoder, as it happens
    }
    EXPECT_NE(text, Events(1, 2) + Events(4, 9)) << ToString(codec);
  }
}

TEST_F(CohortTest, BytesOfAFailedEncodeAreNeverInTheLog) {
  const auto cohort = Open({});
  Publish(*cohort, 1, 1);
  cohort->Enter();
  Publish(*cohort, 2, 2);
  faults_.throws = 1;
  EXPECT_THROW(cohort->Encode(BoardEvent(3)), Error);
  cohort->Retire();
  EXPECT_FALSE(cohort->live());
  EXPECT_EQ(cohort->heap(), 0u);
  EXPECT_EQ(cohort->Take(2)->events(), 1u);  // the last good boundary
  EXPECT_FALSE(cohort->Has(3));
}

TEST_F(CohortTest, TheCanarySeesALieBeforeItIsInTheLog) {
  const auto cohort = Open({});
  Publish(*cohort, 1, 1);
  faults_.lies = 1;
  cohort->Encode(BoardEvent(2));
  EXPECT_FALSE(cohort->Check(BoardEvent(2)));
  EXPECT_FALSE(cohort->Has(2));
}

}  // namespace
}  // namespace rpcbench
