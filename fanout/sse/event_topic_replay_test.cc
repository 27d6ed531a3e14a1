// V12, F6, F7: what a client that comes back with a Last-Event-ID is sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "fanout/sse/event_topic.h"
#include "fanout/sse/source_reader.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::Gt;
using testing::IsEmpty;
using testing::Le;

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() {
    for (const char* topic : {"likes7", "likes8", "likes9"}) topics_.Add(topic);
  }

  void Like(const std::string& data, const std::string& topic = "likes7",
            const std::string& key = "") {
    topics_.Publish(topic, {.name = "likes", .data = data, .key = key});
  }

  // "name:data" of all that a client with this id is sent at once.
  std::vector<std::string> SentTo(const std::string& last_event_id,
                                  std::vector<std::string> on = {"likes7"}) {
    SourceReader reader(topics_.Join({.topics = std::move(on),
                                      .overflow = OverflowPolicy::kEvict,
                                      .last_event_id = last_event_id}),
                        Codec::kIdentity, last_event_id);
    reader.Pull();
    std::vector<std::string> sent;
    for (const auto& event : reader.events()) sent.push_back(event.name + ":" + event.data);
    last_id_ = reader.last_event_id();
    return sent;
  }

  EventTopics topics_{{.replay = {.events = 4, .bytes = 1000}, .base = 0}};
  std::string last_id_;  // of the last SentTo
};

TEST_F(ReplayTest, AKnownIdGetsWhatItMissed) {
  for (const char* data : {"a", "b", "c"}) Like(data);
  EXPECT_THAT(SentTo("likes7-1"), ElementsAre("likes:b", "likes:c"));
  EXPECT_THAT(SentTo("likes7-3"), IsEmpty());
  EXPECT_EQ(topics_.counts().replays, 2u);
}

TEST_F(ReplayTest, ANewStreamGetsTheNewestOfEachKey) {
  Like("a1", "likes7", "a");
  Like("b1", "likes7", "b");
  Like("a2", "likes7", "a");
  EXPECT_THAT(SentTo(""), ElementsAre("likes:b1", "likes:a2"));
  EXPECT_EQ(last_id_, "likes7-3");
  EXPECT_EQ(topics_.counts().snapshots, 1u);
}

TEST_F(ReplayTest, AnUnknownIdIsResetAndGetsTheSnapshot) {
  Like("other", "likes8");
  for (const char* data : {"a", "b", "c", "d", "e", "f"}) Like(data);
  for (const char* id : {"likes7-2",   // evicted
                         "likes7-99",  // future
                         "likes7-1",   // another topic's event
                         "likes8-1",   // another topic
                         "likes7",     // malformed
                         "likes7-007", "\xFF", "0"}) {
    EXPECT_THAT(SentTo(id), ElementsAre("reset:", "likes:f")) << id;
    EXPECT_EQ(last_id_, "likes7-7") << id;
  }
  EXPECT_EQ(topics_.counts().resets, 8u);
}

// Cut between the reset and the snapshot a client comes back with its old id, and is reset again.
TEST_F(ReplayTest, AResetWithoutASnapshotKeepsTheOldId) {
  EXPECT_THAT(SentTo("likes7-99"), ElementsAre("reset:"));
  EXPECT_EQ(last_id_, "likes7-99");
}

TEST_F(ReplayTest, IdsOfAnEarlierLifeAreUnknown) {
  EventTopics before;
  before.Add("likes7");
  before.Publish("likes7", {.data = "a"});
  SourceReader reader(before.Join({.topics = {"likes7"}}), Codec::kIdentity);
  reader.Pull();
  EventTopics after;
  after.Add("likes7");
  const auto back = after.Join({.topics = {"likes7"}, .last_event_id = reader.last_event_id()});
  EXPECT_EQ(after.counts().resets, 1u);
}

TEST_F(ReplayTest, AnIdOfOneTopicSpeaksForAllOfItsStream) {
  Like("7a");
  Like("8a", "likes8");
  Like("7b");
  Like("9a", "likes9");
  Like("8b", "likes8");
  EXPECT_THAT(SentTo("likes8-2", {"likes7", "likes8"}), ElementsAre("likes:7b", "likes:8b"));
  EXPECT_THAT(SentTo("likes9-4", {"likes7", "likes8"}),
              ElementsAre("reset:", "likes:7b", "likes:8b"));
}

TEST_F(ReplayTest, OneTopicsEvictionResetsTheStream) {
  Like("8a", "likes8");
  for (const char* data : {"a", "b", "c", "d", "e"}) Like(data);
  EXPECT_THAT(SentTo("likes8-1", {"likes8"}), IsEmpty());
  EXPECT_THAT(SentTo("likes8-1", {"likes7", "likes8"}),
              ElementsAre("reset:", "likes:8a", "likes:e"));
}

TEST_F(ReplayTest, LiveFollowsWithoutAGap) {
  for (const char* data : {"a", "b"}) Like(data);
  SourceReader reader(
      topics_.Join(
          {.topics = {"likes7"}, .overflow = OverflowPolicy::kEvict, .last_event_id = "likes7-1"}),
      Codec::kIdentity);
  Like("c");
  reader.Take();
  Like("d");
  reader.Pull();
  EXPECT_THAT(reader.data(), ElementsAre("b", "c", "d"));
}

// F6: ten seconds of 1,000 events/s, in steps; a client of each codec that is cut at random, in the
// middle of a chunk too, and comes back with the last id it parsed.
TEST(ReplayGapTest, ReconnectsUnderLoadMissAndDoubleNothing) {
  EventTopics topics({.replay = {.events = 2000, .bytes = 1 << 20}, .base = 0});
  topics.Add("likes7");
  topics.Add("likes8");
  std::mt19937 random(6);
  const auto chance = [&random](unsigned percent) { return random() % 100 < percent; };
  for (const Codec codec : {Codec::kIdentity, Codec::kZstd, Codec::kBrotli}) {
    std::uint64_t first = topics.Publish("likes7", {.data = "first", .key = "k"});
    std::string last_id = "likes7-" + std::to_string(first);
    std::optional<SourceReader> reader;
    std::uint64_t seen = first;
    for (int published = 0; published < 10'000; ++published) {
      const std::string topic = chance(50) ? "likes7" : "likes8";
      topics.Publish(topic, {.data = std::to_string(published), .key = "k"});
      if (!reader && chance(1)) {
        reader.emplace(topics.Join({.topics = {"likes7", "likes8"},
                                    .codec = codec,
                                    .overflow = OverflowPolicy::kEvict,
                                    .queue_events = 2000,
                                    .last_event_id = last_id}),
                       codec, last_id);
      } else if (reader && chance(20)) {
        chance(50) ? reader->Pull() : static_cast<void>(reader->Take());
      } else if (reader && chance(1)) {
        for (const auto& event : reader->events()) {
          const auto number = std::stoull(event.id.substr(event.id.find('-') + 1));
          ASSERT_EQ(number, ++seen) << "a gap or a double";
        }
        last_id = reader->last_event_id();
        reader.reset();
      }
    }
    EXPECT_THAT(seen, Gt(first + 1000));
  }
  EXPECT_THAT(topics.counts().replays, Gt(50u));
  EXPECT_EQ(topics.counts().resets, 0u);
  EXPECT_EQ(topics.counts().slow, 0u);
}

// F7: each return costs at most the log's bound, however often and however late it is.
TEST_F(ReplayTest, ReplayedBytesAreCapped) {
  std::string last_id;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i <= round % 5; ++i) Like(std::string(300, 'x'));
    const auto before = topics_.counts().replayed_bytes;
    SentTo(last_id);
    last_id = last_id_;
    EXPECT_THAT(topics_.counts().replayed_bytes - before, Le(1000u));
  }
  EXPECT_THAT(topics_.counts().replays, Gt(10u));
  EXPECT_THAT(topics_.counts().resets, Gt(10u));
}

}  // namespace
}  // namespace rpcbench
