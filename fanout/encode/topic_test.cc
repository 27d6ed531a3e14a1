// What a topic promises to each of its streams, by name of the promise. Failures of encoders,
// heartbeats and budgets are in topic_trouble_test.cc.
#include "fanout/encode/topic.h"

#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/encode/cohort_source.h"
#include "fanout/encode/topic_rig.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

class TopicTest : public testing::Test {
 protected:
  ~TopicTest() override { EXPECT_TRUE(rig_.counts().ledger.Balances(rig_.counts().pending)); }

  static void ExpectGood(const Watcher& watcher, std::uint64_t newest) {
    EXPECT_EQ(watcher.fault(), "");
    EXPECT_EQ(watcher.last(), newest);
  }

  TopicRig rig_{{}};
};

class TopicOfTest : public TopicTest, public testing::WithParamInterface<Codec> {};

TEST_P(TopicOfTest, AJoinerIsSentTheNewestThenWhatComes) {
  for (const bool shared : {true, false}) {
    rig_.Publish(20);
    const auto watcher = rig_.Join(GetParam(), shared);
    watcher->CatchUp();
    ExpectGood(*watcher, rig_.newest());
    EXPECT_EQ(watcher->sent(), 1u);
    EXPECT_FALSE(watcher->Take());
    rig_.PublishTo({watcher.get()}, 3);
    ExpectGood(*watcher, rig_.newest());
    EXPECT_EQ(watcher->sent(), 4u);
  }
}

TEST_P(TopicOfTest, OneWhoJoinsBeforeTheFirstEventWaitsForIt) {
  const auto watcher = rig_.Join(GetParam());
  EXPECT_FALSE(watcher->Take());
  EXPECT_EQ(rig_.counts().pending, 0u);
  rig_.PublishTo({watcher.get()});
  ExpectGood(*watcher, 1);
}

TEST_P(TopicOfTest, TwoWhoJoinTogetherAreSentTheSameBytes) {
  rig_.Publish();
  const auto one = rig_.Join(GetParam());
  const auto other = rig_.Join(GetParam());
  for (int tick = 0; tick < 20; ++tick) {
    one->Take();
    other->Take();
    EXPECT_EQ(one->chunk(), other->chunk());  // no client's own data can be in there
    one->Finish();
    other->Finish();
    rig_.Publish();
  }
}

TEST_P(TopicOfTest, WhatIsPendingWhenAStreamIsClosedIsEvicted) {
  rig_.Publish();
  auto watcher = rig_.Join(GetParam());
  watcher->CatchUp();
  rig_.Publish();
  watcher->Take();
  rig_.Publish(2);
  EXPECT_EQ(rig_.counts().pending, 3u);
  watcher.reset();
  EXPECT_EQ(rig_.counts().pending, 0u);
  EXPECT_EQ(rig_.counts().ledger.evicted, 3u);
  EXPECT_EQ(rig_.counts().ledger.delivered, 1u);
}

// The cost of a publish does not grow with the members: one encode, and nothing else is counted.
TEST_P(TopicOfTest, EncodesOnceForAll) {
  rig_.Publish();
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 100; ++i) {
    watchers.push_back(rig_.Join(GetParam()));
    watchers.back()->CatchUp();
  }
  const std::uint64_t before = rig_.counts().encodes;
  rig_.Publish(5);
  const std::uint64_t cohorts = GetParam() == Codec::kIdentity ? 0 : 1;
  EXPECT_EQ(rig_.counts().cohorts, cohorts);
  EXPECT_EQ(rig_.counts().encodes - before, 5 * cohorts);
  EXPECT_EQ(rig_.counts().pending, 500u);
}

// A chunk is a write: whoever joins and whatever is merged, a tick is one of them for each stream.
TEST_P(TopicOfTest, ATickIsOneChunkForEachStream) {
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int tick = 0; tick < 40; ++tick) {
    if (tick == 25) rig_.topic().Merge();
    rig_.Publish();
    if (tick % 10 == 0) {
      watchers.push_back(rig_.Join(GetParam()));
      watchers.push_back(rig_.Join(GetParam(), false));
    }
    for (const auto& watcher : watchers) {
      EXPECT_TRUE(watcher->Take()) << "tick " << tick;
      watcher->Finish();
      EXPECT_FALSE(watcher->Take()) << "tick " << tick;
      watcher->Finish();
    }
  }
  for (const auto& watcher : watchers) ExpectGood(*watcher, rig_.newest());
  EXPECT_EQ(rig_.counts().merges, GetParam() == Codec::kZstd ? 1u : 0u);
}

TEST_P(TopicOfTest, AFirstEventForOneClientComesBeforeAll) {
  for (const bool shared : {true, false}) {
    rig_.Publish();
    const auto greeted = rig_.JoinWithFirst(GetParam(), shared, "client 7");
    const auto other = rig_.Join(GetParam(), shared);
    greeted->CatchUp();
    other->CatchUp();
    rig_.PublishTo({greeted.get(), other.get()}, 2);
    ExpectGood(*greeted, rig_.newest());
    EXPECT_EQ(greeted->hello(), HelloEvent("client 7"));
    ExpectGood(*other, rig_.newest());
    EXPECT_EQ(other->text().find("client 7"), std::string::npos);
  }
  EXPECT_EQ(rig_.counts().first_frames, 2u);
}

TEST_P(TopicOfTest, AfterASealNobodyIsShownAnEarlierState) {
  rig_.Publish(3);
  const auto member = rig_.Join(GetParam());
  member->CatchUp();
  rig_.Publish(2);
  rig_.topic().Seal();
  const auto joiner = rig_.Join(GetParam());
  joiner->CatchUp();
  EXPECT_EQ(joiner->first(), rig_.newest());
  ExpectGood(*joiner, rig_.newest());
  EXPECT_EQ(joiner->text().find(BoardEvent(rig_.newest() - 1)), std::string::npos);
  member->CatchUp();
  EXPECT_EQ(member->text().find(BoardEvent(rig_.newest() - 1)), std::string::npos);
  if (GetParam() == Codec::kBrotli) {  // it cannot leave out an event of its one stream
    EXPECT_EQ(member->closing(), "sealed");
  } else {
    ExpectGood(*member, rig_.newest());
  }
}

INSTANTIATE_TEST_SUITE_P(Codecs, TopicOfTest,
                         testing::Values(Codec::kZstd, Codec::kBrotli, Codec::kIdentity),
                         [](const auto& named) { return ToString(named.param); });

TEST_F(TopicTest, WithoutCompressionTheNewestReplacesWhatWasNotSent) {
  rig_.Publish();
  const auto watcher = rig_.Join(Codec::kIdentity);
  watcher->CatchUp();
  rig_.Publish(100);
  watcher->CatchUp();
  ExpectGood(*watcher, 101);
  EXPECT_EQ(watcher->sent(), 2u);
  EXPECT_EQ(rig_.counts().ledger.coalesced, 99u);
}

TEST_F(TopicTest, APrivateEncoderNeverEncodesAnOldState) {
  rig_.Publish();
  const auto watcher = rig_.Join(Codec::kZstd, false);
  watcher->CatchUp();
  rig_.Publish(100);
  watcher->CatchUp();
  ExpectGood(*watcher, 101);
  EXPECT_EQ(rig_.counts().encodes, 2u);
  EXPECT_EQ(rig_.counts().ledger.coalesced, 99u);
  EXPECT_EQ(rig_.counts().privates, 1u);
  EXPECT_EQ(rig_.counts().cohorts, 0u);
  EXPECT_GT(rig_.counts().encoder_heap, 0u);
}

TEST_F(TopicTest, JoinersOfOneLogShareACohortAndLaterOnesOpenAnother) {
  rig_.Publish();
  const auto one = rig_.Join(Codec::kZstd);
  one->CatchUp();
  rig_.PublishTo({one.get()}, 7);
  const auto two = rig_.Join(Codec::kZstd);
  two->CatchUp();
  EXPECT_EQ(two->first(), 1u);  // the whole log
  EXPECT_EQ(two->sent(), 8u);
  EXPECT_EQ(rig_.counts().cohorts, 1u);
  rig_.PublishTo({one.get(), two.get()});
  const auto three = rig_.Join(Codec::kZstd);
  three->CatchUp();
  EXPECT_EQ(three->first(), 9u);
  EXPECT_EQ(rig_.counts().cohorts, 2u);
}

TEST_F(TopicTest, AnEpochMergesAllIntoOneCohort) {
  std::vector<std::unique_ptr<Watcher>> watchers;
  std::vector<Watcher*> all;
  for (int i = 0; i < 5; ++i) {
    rig_.PublishTo(all, 10);
    watchers.push_back(rig_.Join(Codec::kZstd));
    all.push_back(watchers.back().get());
    all.back()->CatchUp();
  }
  EXPECT_EQ(rig_.counts().cohorts, 5u);
  rig_.Pass(30s);
  rig_.PublishTo(all);
  EXPECT_EQ(rig_.counts().cohorts, 1u);
  EXPECT_EQ(rig_.counts().merges, 1u);
  rig_.PublishTo(all, 20);
  for (Watcher* watcher : all) {
    ExpectGood(*watcher, rig_.newest());
  }
  EXPECT_EQ(rig_.counts().ledger.coalesced, 0u);  // nobody missed an event
  rig_.Pass(60s);
  rig_.PublishTo(all);
  EXPECT_EQ(rig_.counts().merges, 1u);  // one cohort needs no merging
}

TEST_F(TopicTest, AMergeCanBeAskedFor) {
  rig_.Publish();
  const auto one = rig_.Join(Codec::kZstd);
  one->CatchUp();
  rig_.PublishTo({one.get()}, 10);
  const auto two = rig_.Join(Codec::kZstd);
  two->CatchUp();
  rig_.topic().Merge();
  rig_.PublishTo({one.get(), two.get()}, 3);
  EXPECT_EQ(rig_.counts().cohorts, 1u);
  ExpectGood(*one, rig_.newest());
  ExpectGood(*two, rig_.newest());
}

TEST_F(TopicTest, AMemberThatWasNotAskedSinceTheMergeMissesNothing) {
  rig_.Publish();
  const auto one = rig_.Join(Codec::kZstd);
  one->CatchUp();
  rig_.PublishTo({one.get()}, 10);
  const auto two = rig_.Join(Codec::kZstd);
  two->CatchUp();
  rig_.Publish(2);  // for `one` these are in the log that is about to end
  rig_.topic().Merge();
  rig_.Publish(3);
  one->CatchUp();
  ExpectGood(*one, rig_.newest());
  EXPECT_EQ(one->sent(), rig_.newest());
}

TEST_F(TopicTest, ALaggardIsMovedToTheNewestState) {
  rig_.Publish();
  const auto slow = rig_.Join(Codec::kZstd);
  const auto fast = rig_.Join(Codec::kZstd);
  slow->CatchUp();
  fast->CatchUp();
  rig_.PublishTo({fast.get()}, 8);
  EXPECT_EQ(rig_.counts().laggard_moves, 0u);
  rig_.PublishTo({fast.get()}, 42);
  slow->CatchUp();
  EXPECT_EQ(rig_.counts().laggard_moves, 1u);
  ExpectGood(*slow, rig_.newest());
  EXPECT_EQ(slow->sent(), 2u);
  EXPECT_EQ(rig_.counts().ledger.coalesced, 49u);
  rig_.PublishTo({fast.get(), slow.get()}, 3);
  ExpectGood(*slow, rig_.newest());
  ExpectGood(*fast, rig_.newest());
  EXPECT_EQ(slow->closing(), "");
}

TEST_F(TopicTest, ABrotliLaggardIsClosed) {
  rig_.Publish();
  const auto watcher = rig_.Join(Codec::kBrotli);
  watcher->CatchUp();
  rig_.Publish(8);
  EXPECT_EQ(watcher->closing(), "");
  rig_.Publish();
  EXPECT_EQ(watcher->closing(), "slow");
  EXPECT_FALSE(watcher->Take());
  EXPECT_EQ(watcher->fault(), "");
}

TEST_F(TopicTest, BrotliStreamsAreRotatedNotAllAtOnce) {
  rig_.Publish();
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 1000; ++i) {
    watchers.push_back(rig_.Join(Codec::kBrotli));
    watchers.back()->CatchUp();
  }
  std::size_t most = 0;
  for (int second = 0; second < 400; ++second) {
    rig_.Tick(1s);
    const std::size_t before = watchers.size();
    std::erase_if(watchers, [](const auto& watcher) { return watcher->closing() == "rotated"; });
    most = std::max(most, before - watchers.size());
    EXPECT_TRUE(second >= 224 || watchers.size() == 1000u);
  }
  EXPECT_TRUE(watchers.empty());
  EXPECT_EQ(rig_.counts().rotations, 1000u);
  EXPECT_LE(most, 10u);  // 1,000 in 150 s are 7 a second
}

TEST_F(TopicTest, ARotatedStreamIsNotClosedInMidEvent) {
  rig_.Publish();
  const auto watcher = rig_.Join(Codec::kBrotli);
  watcher->Take();
  rig_.Tick(10min);
  EXPECT_EQ(watcher->closing(), "");
  watcher->Finish();
  EXPECT_EQ(watcher->closing(), "rotated");
}

TEST_F(TopicTest, AMemberIsSmall) {
  EXPECT_LT(sizeof(CohortSource), 200u);
}

TEST_F(TopicTest, RefusesWhatBrowsersDoNotDecode) {
  TopicOptions options;
  options.zstd.window_log = 24;
  EXPECT_THROW(Topic{options}, Error);
}

}  // namespace
}  // namespace rpcbench
