// A topic's bad days: encoders that fail, clocks of heartbeats, joiners in crowds.
#include <gtest/gtest.h>

#include <algorithm>

#include "echo/error.h"
#include "fanout/encode/topic_rig.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

class TopicTroubleTest : public testing::Test {
 protected:
  void Start(const TopicOptions& options = {}) { rig_ = std::make_unique<TopicRig>(options); }
  ~TopicTroubleTest() override {
    EXPECT_TRUE(rig_->counts().ledger.Balances(rig_->counts().pending));
  }

  std::unique_ptr<Watcher> JoinAndCatchUp(Codec codec, bool shared = true) {
    auto watcher = rig_->Join(codec, shared);
    watcher->CatchUp();
    return watcher;
  }

  void ExpectGood(const Watcher& watcher) const {
    EXPECT_EQ(watcher.fault(), "");
    EXPECT_EQ(watcher.last(), rig_->newest());
  }

  std::unique_ptr<TopicRig> rig_;
};

TEST_F(TopicTroubleTest, AfterAFailedEncodeMembersGoOnInANewCohort) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  const auto behind = JoinAndCatchUp(Codec::kZstd);
  rig_->PublishTo({one.get()}, 3);
  rig_->faults.throws = 1;
  rig_->PublishTo({one.get(), behind.get()});
  EXPECT_EQ(rig_->counts().failures, 1u);
  EXPECT_EQ(rig_->counts().cohorts, 1u);
  rig_->PublishTo({one.get(), behind.get()}, 3);
  ExpectGood(*one);
  ExpectGood(*behind);
  EXPECT_EQ(rig_->counts().ledger.coalesced, 0u);
}

TEST_F(TopicTroubleTest, TheCanaryKeepsALieFromEverybody) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  rig_->PublishTo({one.get()}, 3);
  rig_->faults.lies = 1;
  rig_->PublishTo({one.get()});
  EXPECT_EQ(rig_->counts().failures, 1u);
  ExpectGood(*one);
  rig_->PublishTo({one.get()}, 3);
  ExpectGood(*one);
}

TEST_F(TopicTroubleTest, WithoutTheCanaryTheLieWouldBeSent) {
  Start({.canary = false});
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  rig_->faults.lies = 1;
  rig_->PublishTo({one.get()});
  EXPECT_NE(one->fault(), "");
}

TEST_F(TopicTroubleTest, BrotliMembersOfAFailedCohortAreClosed) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kBrotli);
  rig_->faults.lies = 1;
  rig_->PublishTo({one.get()});
  EXPECT_EQ(one->closing(), "failed");
  EXPECT_EQ(one->fault(), "");
  const auto back = JoinAndCatchUp(Codec::kBrotli);
  ExpectGood(*back);
  EXPECT_EQ(back->closing(), "");
}

TEST_F(TopicTroubleTest, WhereTheFirstEncoderFailsTheNextJoinerHasNoneOfItsBytes) {
  Start();
  rig_->Publish();
  rig_->faults.throws = 1;
  EXPECT_THROW(rig_->Join(Codec::kBrotli), Error);
  const auto one = JoinAndCatchUp(Codec::kBrotli);
  rig_->PublishTo({one.get()}, 3);
  ExpectGood(*one);
}

TEST_F(TopicTroubleTest, OneCohortsFailureIsNotTheOthers) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  rig_->PublishTo({one.get()}, 20);
  const auto two = JoinAndCatchUp(Codec::kZstd);
  rig_->faults.throws = 1;
  rig_->PublishTo({one.get(), two.get()}, 3);
  EXPECT_EQ(rig_->counts().failures, 1u);
  ExpectGood(*one);
  ExpectGood(*two);
}

TEST_F(TopicTroubleTest, MembersWaitForAnEncoderAndAreSentTheNewestThen) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  rig_->faults.broken = true;
  rig_->faults.throws = 1;
  rig_->PublishTo({one.get()}, 5);
  EXPECT_EQ(one->last(), 1u);
  EXPECT_FALSE(one->Take());
  rig_->faults.broken = false;
  EXPECT_TRUE(rig_->Tick());  // somebody waits
  one->CatchUp();
  ExpectGood(*one);
  EXPECT_EQ(rig_->counts().ledger.coalesced, 4u);
}

// One attempt a tick, however many ask: to fail costs time too.
TEST_F(TopicTroubleTest, AnEncoderThatCannotBeMadeIsTriedOnceATick) {
  Start();
  rig_->Publish();
  rig_->faults.broken = true;
  const auto one = JoinAndCatchUp(Codec::kZstd);
  const auto two = JoinAndCatchUp(Codec::kZstd);
  EXPECT_EQ(rig_->counts().failures, 1u);
  rig_->PublishTo({one.get(), two.get()});
  EXPECT_EQ(rig_->counts().failures, 2u);
}

TEST_F(TopicTroubleTest, AMergeThatFailsLeavesAllWhereTheyAre) {
  Start();
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd);
  rig_->PublishTo({one.get()}, 10);
  const auto two = JoinAndCatchUp(Codec::kZstd);
  rig_->faults.broken = true;
  rig_->topic().Merge();
  rig_->PublishTo({one.get(), two.get()}, 2);
  EXPECT_EQ(rig_->counts().merges, 0u);
  EXPECT_EQ(rig_->counts().cohorts, 2u);
  ExpectGood(*one);
  ExpectGood(*two);
}

TEST_F(TopicTroubleTest, APrivateStreamWhoseEncoderFailsIsClosed) {
  Start({.shared_window = false});
  rig_->Publish();
  const auto one = JoinAndCatchUp(Codec::kZstd, false);
  rig_->faults.throws = 1;
  rig_->PublishTo({one.get()});
  EXPECT_EQ(one->closing(), "failed");
  EXPECT_EQ(one->fault(), "");
  EXPECT_EQ(rig_->counts().encoder_heap, 0u);
}

TEST_F(TopicTroubleTest, HeartbeatsAreNoEventWhereverTheyCome) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli, Codec::kIdentity}) {
    for (const bool shared : {true, false}) {
      Start();
      const auto watcher = rig_->Join(codec, shared);
      watcher->Beat();  // before there was any event
      watcher->Beat();
      for (int tick = 0; tick < 12; ++tick) {
        rig_->Publish();
        watcher->CatchUp();
        watcher->Beat();
        watcher->Beat();
      }
      ExpectGood(*watcher);
      EXPECT_EQ(watcher->sent(), 12u);
      const auto later = rig_->Join(codec, shared);
      later->Beat();  // its cohort has begun, it has not
      later->CatchUp();
      later->Beat();
      rig_->PublishTo({watcher.get(), later.get()}, 2);
      ExpectGood(*later);
      ExpectGood(*watcher);
    }
  }
}

TEST_F(TopicTroubleTest, AHeartbeatAfterTheFirstFrameAndAroundASplice) {
  Start();
  const auto watcher = rig_->JoinWithFirst(Codec::kZstd, true, "client 7");
  watcher->CatchUp();
  watcher->Beat();  // its frame has ended, and no other has begun
  rig_->Publish();
  watcher->CatchUp();
  watcher->Beat();
  rig_->faults.throws = 1;
  rig_->Publish();
  watcher->Beat();  // the cohort has failed, the splice comes
  watcher->CatchUp();
  watcher->Beat();
  rig_->PublishTo({watcher.get()}, 2);
  ExpectGood(*watcher);
  EXPECT_EQ(watcher->hello(), HelloEvent("client 7"));
}

// A heartbeat is one stream's own: the encoder and the others must not notice.
TEST_F(TopicTroubleTest, HeartbeatsOfOneStreamAreNotInTheOthers) {
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    Start();
    rig_->Publish();
    const auto quiet = JoinAndCatchUp(codec);
    const auto beating = JoinAndCatchUp(codec);
    for (int tick = 0; tick < 10; ++tick) {
      beating->Beat();
      rig_->PublishTo({quiet.get(), beating.get()});
    }
    ExpectGood(*quiet);
    ExpectGood(*beating);
    EXPECT_EQ(quiet->text(), beating->text());
    EXPECT_GT(beating->wire().size(), quiet->wire().size());
  }
}

TEST_F(TopicTroubleTest, JoinersPastTheBudgetWaitAndLoseNothing) {
  Start({.join_bytes_per_second = 1000});
  rig_->Publish();
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 50; ++i) {
    watchers.push_back(JoinAndCatchUp(Codec::kZstd));
  }
  const auto served = [&] {
    return std::count_if(watchers.begin(), watchers.end(),
                         [](const auto& watcher) { return watcher->last() > 0; });
  };
  const auto at_once = served();
  EXPECT_GE(at_once, 1);
  EXPECT_LT(at_once, 25);
  EXPECT_FALSE(rig_->Tick());  // no time has passed
  int seconds = 0;
  for (; served() < 50 && seconds < 100; ++seconds) {
    EXPECT_TRUE(rig_->Tick(1s));
    std::for_each(watchers.begin(), watchers.end(), [](const auto& w) { w->CatchUp(); });
  }
  EXPECT_GT(seconds, 1);
  for (const auto& watcher : watchers) {
    ExpectGood(*watcher);
  }
  EXPECT_FALSE(rig_->Tick(1s));  // nobody waits any more
  EXPECT_EQ(rig_->counts().pending, 0u);
}

TEST_F(TopicTroubleTest, WhatIsPublishedWhileAJoinerWaitsIsCoalesced) {
  Start({.join_bytes_per_second = 1});
  rig_->Publish();
  const auto first = JoinAndCatchUp(Codec::kBrotli);
  const auto waiting = JoinAndCatchUp(Codec::kBrotli);
  rig_->PublishTo({first.get(), waiting.get()}, 30);
  EXPECT_EQ(waiting->last(), 0u);
  EXPECT_EQ(waiting->closing(), "");  // it is not slow
  rig_->Tick(3600s);
  waiting->CatchUp();
  ExpectGood(*waiting);
  ExpectGood(*first);
}

}  // namespace
}  // namespace rpcbench
