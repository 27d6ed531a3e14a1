// Streams with an encoder of their own: what they share all the same, and what they do not.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "fanout/encode/topic_rig.h"

namespace rpcbench {
namespace {

class TopicPrivateTest : public testing::Test {
 protected:
  // With a ring of seven events or so, or more.
  void Start(TopicOptions options, std::size_t ring = 16 << 10) {
    options.zstd.window_log = 12;
    options.shared_window_bytes = ring;
    rig_ = std::make_unique<TopicRig>(options);
    rig_->Publish();
  }
  ~TopicPrivateTest() override {
    EXPECT_TRUE(rig_->counts().ledger.Balances(rig_->counts().pending));
  }

  std::unique_ptr<TopicRig> rig_;
};

// 200 events to streams of both codecs that join at any time and skip some, encoded by `threads`.
void Play(TopicRig& rig) {
  std::mt19937 random(1);
  std::vector<std::unique_ptr<Watcher>> watchers;
  for (int i = 0; i < 200; ++i) {
    if (watchers.size() < 20 && i % 3 == 0) {
      watchers.push_back(rig.Join(i % 2 == 0 ? Codec::kZstd : Codec::kBrotli, false));
    }
    rig.Publish();
    for (const auto& watcher : watchers) {
      if (random() % 4 != 0) watcher->CatchUp();
    }
  }
  for (const auto& watcher : watchers) {
    watcher->CatchUp();
    EXPECT_EQ(watcher->fault(), "");
    EXPECT_EQ(watcher->closing(), "");
    if (watcher->last() != rig.newest()) watcher->CatchUp();
    EXPECT_EQ(watcher->last(), rig.newest());
  }
}

TEST_F(TopicPrivateTest, OneThreadEncodesWhenItIsAsked) {
  Start({}, 256 << 10);
  Play(*rig_);
}

TEST_F(TopicPrivateTest, SeveralThreadsEncodeAhead) {
  Start({.encode_threads = 4}, 256 << 10);
  Play(*rig_);
}

TEST_F(TopicPrivateTest, AStreamThatIsNotReadIsEncodedForOnce) {
  Start({.encode_threads = 2});
  const auto slow = rig_->Join(Codec::kBrotli, false);
  slow->CatchUp();
  const auto before = rig_->counts().encodes;
  rig_->Publish(50);
  EXPECT_EQ(rig_->counts().encodes, before + 1);
  slow->CatchUp();
  EXPECT_EQ(slow->last(), rig_->newest());
  EXPECT_EQ(slow->fault(), "");
  EXPECT_EQ(rig_->counts().ledger.coalesced, 48u);
}

TEST_F(TopicPrivateTest, OneThatPausesUntilItsHistoryIsOverwrittenIsClosed) {
  Start({});
  auto slow = rig_->Join(Codec::kZstd, false);
  const auto fast = rig_->Join(Codec::kZstd, false);
  slow->CatchUp();
  for (int i = 0; i < 50; ++i) rig_->PublishTo({fast.get()});
  EXPECT_FALSE(slow->Take());
  EXPECT_EQ(slow->closing(), "slow");
  EXPECT_EQ(fast->closing(), "");
  EXPECT_EQ(fast->last(), rig_->newest());
  EXPECT_EQ(rig_->counts().failures, 0u);
  slow = rig_->Join(Codec::kZstd, false);
  slow->CatchUp();
  EXPECT_EQ(slow->last(), rig_->newest());
  EXPECT_EQ(slow->fault(), "");
}

TEST_F(TopicPrivateTest, WithWindowsOfTheirOwnNobodyIsClosed) {
  Start({.shared_window = false});
  const auto slow = rig_->Join(Codec::kZstd, false);
  const auto fast = rig_->Join(Codec::kZstd, false);
  slow->CatchUp();
  for (int i = 0; i < 50; ++i) rig_->PublishTo({fast.get()});
  slow->CatchUp();
  EXPECT_EQ(slow->last(), rig_->newest());
  EXPECT_EQ(slow->fault(), "");
}

TEST_F(TopicPrivateTest, TheSharedWindowIsCountedOnce) {
  Start({});
  EXPECT_EQ(rig_->counts().encoder_heap, 0u);
  auto one = rig_->Join(Codec::kZstd, false);
  const std::size_t with_one = rig_->counts().encoder_heap;
  auto two = rig_->Join(Codec::kZstd, false);
  EXPECT_EQ(rig_->counts().encoder_heap - with_one, with_one - (16 << 10));
  one.reset();
  two.reset();
  EXPECT_EQ(rig_->counts().privates, 0u);
  rig_->Publish(3);
  EXPECT_EQ(rig_->counts().encoder_heap, 0u);
  // The next to come finds the newest event, though none was kept meanwhile.
  one = rig_->Join(Codec::kZstd, false);
  one->CatchUp();
  EXPECT_EQ(one->last(), rig_->newest());
  EXPECT_EQ(one->fault(), "");
}

TEST_F(TopicPrivateTest, NoHeartbeatComesBeforeAFirstEventThatIsEncodedAlready) {
  Start({.encode_threads = 2});
  for (const Codec codec : {Codec::kZstd, Codec::kBrotli}) {
    const auto source = rig_->topic().Join(codec, false);
    rig_->Publish();
    EXPECT_EQ(source->Heartbeat(), nullptr);
    EXPECT_NE(source->Next(), nullptr);
    source->Sent();
    rig_->Publish();
    EXPECT_NE(source->Heartbeat(), nullptr);  // between two frames of a stream it may
    EXPECT_NE(source->Next(), nullptr);
    source->Sent();
  }
}

TEST_F(TopicPrivateTest, AnEncoderThatFailsAheadClosesItsStreamAlone) {
  Start({.encode_threads = 2});
  const auto one = rig_->Join(Codec::kBrotli, false);
  one->CatchUp();
  rig_->faults.throws = 1;
  rig_->Publish();
  EXPECT_EQ(one->closing(), "failed");
  EXPECT_EQ(rig_->counts().failures, 1u);
  const auto two = rig_->Join(Codec::kBrotli, false);
  two->CatchUp();
  rig_->PublishTo({two.get()}, 3);
  EXPECT_EQ(two->last(), rig_->newest());
  EXPECT_EQ(two->closing(), "");
}

}  // namespace
}  // namespace rpcbench
