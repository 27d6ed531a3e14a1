#include "fanout/sse/event_topic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/sse/source_reader.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::ThrowsMessage;

class EventTopicTest : public testing::Test {
 protected:
  EventTopicTest() {
    topics_.Add("likes7");
    topics_.Add("likes8");
  }

  SourceReader Join(EventStreamOptions options) {
    if (options.topics.empty()) options.topics = {"likes7"};
    return SourceReader(topics_.Join(options), options.codec, options.last_event_id);
  }

  void Like(const std::string& data, const std::string& topic = "likes7",
            const std::string& key = "") {
    topics_.Publish(topic, {.name = "likes", .data = data, .key = key});
  }

  bool Balanced() const { return topics_.counts().ledger.Balances(topics_.counts().pending); }

  EventTopics topics_{{.base = 0}};
};

TEST_F(EventTopicTest, AnEventReachesItsStreamsWithItsId) {
  SourceReader reader = Join({});
  SourceReader other = Join({.topics = {"likes8"}});
  Like("7 1");
  reader.Pull();
  other.Pull();
  EXPECT_THAT(reader.events(),
              ElementsAre(RecordedEvent{.id = "likes7-1", .name = "likes", .data = "7 1"}));
  EXPECT_THAT(other.events(), IsEmpty());
}

TEST_F(EventTopicTest, EveryCodecCarriesThem) {
  for (const Codec codec : {Codec::kIdentity, Codec::kZstd, Codec::kBrotli}) {
    SourceReader reader = Join({.codec = codec, .overflow = OverflowPolicy::kEvict});
    reader.Pull();
    const std::size_t before = reader.events().size();
    reader.Heartbeat();
    Like("a");
    reader.Pull();
    reader.Heartbeat();
    reader.Heartbeat();
    Like("b");
    Like("c");
    reader.Pull();
    EXPECT_EQ(reader.events().size(), before + 3);
    EXPECT_EQ(reader.events().back().data, "c");
    EXPECT_TRUE(reader.counted_right());
  }
  EXPECT_TRUE(Balanced());
}

// A heartbeat before the first event must not be what a decoder takes for the codec's header.
TEST_F(EventTopicTest, HeartbeatsOfASilentStream) {
  for (const Codec codec : {Codec::kIdentity, Codec::kZstd, Codec::kBrotli}) {
    SourceReader reader = Join({.codec = codec});
    for (int i = 0; i < 3; ++i) reader.Heartbeat();
    EXPECT_THAT(reader.events(), IsEmpty());
  }
  EXPECT_EQ(topics_.counts().ledger.offered, 0u);
}

TEST_F(EventTopicTest, StreamsShareASingleEventsBytes) {
  const auto a = topics_.Join({.topics = {"likes7"}});
  const auto b = topics_.Join({.topics = {"likes7"}});
  Like("x");
  EXPECT_EQ(a->Next(), b->Next());
}

TEST_F(EventTopicTest, SeveralWaitingEventsAreOneChunk) {
  const auto source = topics_.Join({.topics = {"likes7"}, .overflow = OverflowPolicy::kEvict});
  for (const char* data : {"a", "b", "c"}) Like(data);
  const ChunkRef chunk = source->Next();
  EXPECT_EQ(chunk->events(), 3u);
  EXPECT_EQ(topics_.counts().pending, 3u);
  source->Sent();
  EXPECT_EQ(topics_.counts().ledger.delivered, 3u);
  EXPECT_EQ(source->Next(), nullptr);
}

// F9: browsers allow six connections an origin, and one may carry many topics.
TEST_F(EventTopicTest, OneStreamCarriesSeveralTopics) {
  SourceReader reader = Join({.topics = {"likes7", "likes8", "likes7"}});
  Like("a");
  Like("b", "likes8");
  EXPECT_EQ(topics_.streams("likes7"), 1u);
  reader.Pull();
  EXPECT_THAT(reader.events(),
              ElementsAre(RecordedEvent{.id = "likes7-1", .name = "likes", .data = "a"},
                          RecordedEvent{.id = "likes8-2", .name = "likes", .data = "b"}));
}

TEST_F(EventTopicTest, NewestReplacesByKey) {
  SourceReader reader = Join({.overflow = OverflowPolicy::kNewestReplaces, .queue_events = 2});
  Like("a1", "likes7", "a");
  Like("b1", "likes7", "b");
  Like("a2", "likes7", "a");
  Like("a3", "likes7", "a");
  reader.Pull();
  EXPECT_THAT(reader.data(), ElementsAre("b1", "a3"));
  EXPECT_EQ(topics_.counts().ledger.coalesced, 2u);
}

TEST_F(EventTopicTest, NewestReplacesTheWholeTopicWithoutKeys) {
  SourceReader reader =
      Join({.topics = {"likes7", "likes8"}, .overflow = OverflowPolicy::kNewestReplaces});
  for (const char* data : {"a", "b", "c"}) Like(data);
  Like("x", "likes8");
  Like("d");
  reader.Pull();
  EXPECT_THAT(reader.data(), ElementsAre("x", "d"));
}

TEST_F(EventTopicTest, WhatIsTakenIsNotReplaced) {
  SourceReader reader = Join({.overflow = OverflowPolicy::kNewestReplaces});
  Like("a");
  reader.Take();
  Like("b");
  reader.Pull();
  EXPECT_THAT(reader.data(), ElementsAre("a", "b"));
  EXPECT_EQ(topics_.counts().ledger.coalesced, 0u);
}

TEST_F(EventTopicTest, DropAndCount) {
  SourceReader reader = Join({.overflow = OverflowPolicy::kDropAndCount, .queue_events = 2});
  for (const char* data : {"a", "b", "c", "d"}) Like(data);
  reader.Pull();
  Like("e");
  reader.Pull();
  EXPECT_THAT(reader.data(), ElementsAre("a", "b", "e"));
  EXPECT_EQ(topics_.counts().ledger.dropped, 2u);
  EXPECT_EQ(reader.closing(), "");
}

TEST_F(EventTopicTest, AFullQueueEvicts) {
  SourceReader slow = Join({.overflow = OverflowPolicy::kEvict, .queue_events = 2});
  SourceReader fast = Join({.overflow = OverflowPolicy::kEvict, .queue_events = 2});
  for (const char* data : {"a", "b", "c", "d"}) {
    Like(data);
    fast.Pull();
  }
  EXPECT_EQ(slow.closing(), "slow");
  slow.Pull();
  EXPECT_THAT(slow.events(), IsEmpty());
  EXPECT_THAT(fast.data(), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(topics_.counts().ledger.evicted, 3u);  // "d" was not for it any more
  EXPECT_EQ(topics_.counts().slow, 1u);
  EXPECT_EQ(topics_.streams("likes7"), 1u);
  EXPECT_TRUE(Balanced());
}

TEST_F(EventTopicTest, WhatWasTakenBeforeAnEvictionStillCounts) {
  SourceReader slow = Join({.overflow = OverflowPolicy::kEvict, .queue_events = 1});
  Like("a");
  slow.Take();
  Like("b");
  Like("c");
  EXPECT_EQ(slow.closing(), "slow");
  EXPECT_EQ(topics_.counts().pending, 1u);
  slow.Confirm();
  EXPECT_EQ(topics_.counts().ledger.delivered, 1u);
  EXPECT_EQ(topics_.counts().ledger.evicted, 2u);
  EXPECT_TRUE(Balanced());
}

TEST_F(EventTopicTest, LeavingCountsWhatWasPending) {
  {
    SourceReader reader = Join({.overflow = OverflowPolicy::kEvict});
    Like("a");
    reader.Take();
    Like("b");
  }
  EXPECT_EQ(topics_.counts().ledger.evicted, 2u);
  EXPECT_EQ(topics_.counts().pending, 0u);
  EXPECT_EQ(topics_.counts().streams, 0u);
  EXPECT_EQ(topics_.streams("likes7"), 0u);
}

TEST_F(EventTopicTest, LeavingInAnyOrderLeavesTheOthers) {
  std::vector<std::unique_ptr<Source>> sources;
  for (int i = 0; i < 5; ++i) sources.push_back(topics_.Join({.topics = {"likes7", "likes8"}}));
  for (const int i : {1, 4, 0}) sources[static_cast<std::size_t>(i)] = nullptr;
  Like("a", "likes8");
  EXPECT_EQ(topics_.streams("likes8"), 2u);
  EXPECT_NE(sources[2]->Next(), nullptr);
  EXPECT_NE(sources[3]->Next(), nullptr);
}

TEST_F(EventTopicTest, MistakesAreErrors) {
  EXPECT_THAT([this] { topics_.Add("likes7"); }, ThrowsMessage<Error>(HasSubstr("likes7")));
  EXPECT_THROW(topics_.Add(""), Error);
  EXPECT_THROW(topics_.Add("a\nb"), Error);
  EXPECT_THAT([this] { topics_.Join({.topics = {"likes9"}}); },
              ThrowsMessage<Error>(HasSubstr("likes9")));
  EXPECT_THROW(topics_.Join({}), Error);
  EXPECT_THROW(Like("x", "likes9"), Error);
  EXPECT_THROW(topics_.Publish("likes7", {.name = "a\nb", .data = "x"}), Error);
  EXPECT_FALSE(topics_.Has("likes9"));
  Like("x");  // a refused event takes no number
  SourceReader reader = Join({});
  reader.Pull();
  EXPECT_EQ(reader.last_event_id(), "likes7-1");
}

}  // namespace
}  // namespace rpcbench
