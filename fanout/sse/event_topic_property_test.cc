// Whatever happens in whatever order, the ledger balances at every moment, and what a stream was
// shown is a legal part of what was published.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

#include "fanout/sse/event_id.h"
#include "fanout/sse/event_topic.h"
#include "fanout/sse/source_reader.h"

namespace rpcbench {
namespace {

struct Published {
  std::string topic;
  std::string key;
  std::string data;
};

struct Stream {
  EventStreamOptions options;
  std::unique_ptr<SourceReader> reader;
  bool starts_with_gap = true;  // a snapshot leaves out what is not the newest
};

class EventTopicPropertyTest : public testing::TestWithParam<unsigned> {
 protected:
  EventTopicPropertyTest() : random_(GetParam()) {
    for (const char* name : kNames) topics_.Add(name);
  }

  std::size_t Below(std::size_t limit) { return random_() % limit; }

  void Publish() {
    Published event{.topic = kNames[Below(3)],
                    .key = std::string(1, static_cast<char>('a' + Below(4))),
                    .data = std::to_string(random_())};
    if (Below(3) == 0) event.data += "\n" + std::string(Below(300), 'x');
    const auto number =
        topics_.Publish(event.topic, {.name = "likes", .data = event.data, .key = event.key});
    published_[number] = event;
  }

  void Join() {
    Stream stream;
    for (const char* name : kNames) {
      if (stream.options.topics.empty() || Below(2) == 0) stream.options.topics.push_back(name);
    }
    stream.options.codec = std::vector{Codec::kIdentity, Codec::kZstd, Codec::kBrotli}[Below(3)];
    stream.options.overflow =
        std::vector{OverflowPolicy::kNewestReplaces, OverflowPolicy::kDropAndCount,
                    OverflowPolicy::kEvict}[Below(3)];
    stream.options.queue_events = 1 + Below(8);
    if (Below(2) == 0 && !ids_.empty()) stream.options.last_event_id = ids_[Below(ids_.size())];
    const auto replays = topics_.counts().replays;
    stream.reader = std::make_unique<SourceReader>(
        topics_.Join(stream.options), stream.options.codec, stream.options.last_event_id);
    stream.starts_with_gap = topics_.counts().replays == replays;
    streams_.push_back(std::move(stream));
  }

  void Leave(std::size_t which) {
    CheckShown(streams_[which]);
    ids_.push_back(streams_[which].reader->last_event_id());
    streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void Step() {
    const std::size_t action = Below(20);
    if (action < 9) return Publish();
    if (action == 9 && streams_.size() < 12) return Join();
    if (streams_.empty()) return;
    const std::size_t which = Below(streams_.size());
    SourceReader& reader = *streams_[which].reader;
    if (action == 10) {
      Leave(which);
    } else if (action == 11) {
      if (!reader.taken()) reader.Heartbeat();
    } else if (action < 14) {
      reader.Pull();
    } else if (action < 17) {
      reader.Take();
    } else {
      reader.Confirm();
    }
  }

  // Numbers grow, each event is one that was published on one of the stream's topics, and where
  // nothing may be left out, nothing is.
  void CheckShown(const Stream& stream) {
    ASSERT_TRUE(stream.reader->counted_right());
    std::uint64_t last = 0;
    for (const auto& event : stream.reader->events()) {
      if (event.name == "reset") continue;
      const auto id = ParseEventId(event.id);
      ASSERT_TRUE(id) << event.id;
      ASSERT_GT(id->number, last);
      const Published& original = published_.at(id->number);
      ASSERT_EQ(event.data, original.data);
      ASSERT_EQ(id->topic, original.topic);
      ASSERT_TRUE(Watches(stream, original.topic));
      if (stream.options.overflow == OverflowPolicy::kEvict && last != 0 &&
          !stream.starts_with_gap) {
        for (std::uint64_t n = last + 1; n < id->number; ++n) {
          ASSERT_FALSE(Watches(stream, published_.at(n).topic)) << n << " is missing";
        }
      }
      last = id->number;
    }
  }

  static bool Watches(const Stream& stream, const std::string& topic) {
    for (const auto& name : stream.options.topics) {
      if (name == topic) return true;
    }
    return false;
  }

  static constexpr const char* kNames[] = {"likes7", "likes8", "likes9"};
  std::mt19937 random_;
  EventTopics topics_{{.replay = {.events = 20, .bytes = 3000}, .base = 0, .pull_bytes = 200}};
  std::map<std::uint64_t, Published> published_;
  std::vector<std::string> ids_{"", "junk", "likes7-999999"};
  std::vector<Stream> streams_;  // gone before the topics
};

TEST_P(EventTopicPropertyTest, TheLedgerBalancesAtEveryMoment) {
  for (int step = 0; step < 3000; ++step) {
    Step();
    if (HasFatalFailure()) return;
    const EventTopicCounts counts = topics_.counts();
    ASSERT_TRUE(counts.ledger.Balances(counts.pending)) << "after step " << step;
    ASSERT_EQ(counts.streams, streams_.size());
  }
  const EventTopicCounts busy = topics_.counts();
  EXPECT_GT(busy.ledger.delivered, 0u);
  EXPECT_GT(busy.ledger.coalesced, 0u);
  EXPECT_GT(busy.ledger.dropped, 0u);
  EXPECT_GT(busy.slow, 0u);
  EXPECT_GT(busy.replays, 0u);
  EXPECT_GT(busy.resets, 0u);
  while (!streams_.empty()) {
    Leave(0);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(topics_.counts().pending, 0u);
  EXPECT_TRUE(topics_.counts().ledger.Balances(0));
}

// A stream of newest-replaces that is read to the end shows each key's newest.
TEST_P(EventTopicPropertyTest, NewestReplacesEndsWithTheNewest) {
  SourceReader reader(
      topics_.Join({.topics = {"likes7"}, .overflow = OverflowPolicy::kNewestReplaces}),
      Codec::kIdentity);
  std::map<std::string, std::string> newest;
  for (int step = 0; step < 500; ++step) {
    Publish();
    if (Below(10) == 0) reader.Take();
    if (Below(10) == 0) reader.Confirm();
  }
  reader.Pull();
  std::map<std::string, std::string> shown;
  for (const auto& event : reader.events()) {
    shown[published_.at(ParseEventId(event.id)->number).key] = event.data;
  }
  for (const auto& [number, event] : published_) {
    if (event.topic == "likes7") newest[event.key] = event.data;
  }
  EXPECT_EQ(shown, newest);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EventTopicPropertyTest, testing::Range(1u, 9u));

}  // namespace
}  // namespace rpcbench
