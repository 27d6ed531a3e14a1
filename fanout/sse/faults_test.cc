// What users of other servers reported, over a live server with many streams: F4, F5, F6 (with
// V12), F9, F10.
// (F1 is in flush_test.cc, F2 in server_test.cc, F8 in stampede_test.cc.)
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "fanout/sse/event_topic.h"
#include "fanout/sse/live_server.h"
#include "measure/resources.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RPCBENCH_ASKS_THE_ALLOCATOR
// In the sanitizers' run-time; GCC installs no header for it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace rpcbench {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kBound = 4;

// What this process has in use, and how much more of it is no growth, in bytes. A sanitizer keeps
// for a while what was freed, so that what is resident says nothing there: its allocator knows.
#ifdef RPCBENCH_ASKS_THE_ALLOCATOR
constexpr std::int64_t kNoGrowth = 64 << 10;
std::int64_t MemoryInUse() {
  return static_cast<std::int64_t>(__sanitizer_get_current_allocated_bytes());
}
#else
constexpr std::int64_t kNoGrowth = 4 << 20;
std::int64_t MemoryInUse() {
  return UsageNow().rss_kb * 1024;
}
#endif

class FaultsTest : public LiveServerTest {
 protected:
  FaultsTest() {
    RaiseDescriptorLimit();
    site_.open = [this](const HttpRequest&) {
      return StreamOffer{.source = bounded_.Join(), .group = group_.get()};
    };
  }
  void PublishBounded(const std::string& data) {
    OnLoop([&] {
      bounded_.Publish(data);
      server_->Kick(*group_);
    });
  }
  std::vector<StreamPeer> Crowd(std::size_t size, const StreamRequest& request = {}) {
    const std::size_t before = Counts().streams;
    std::vector<StreamPeer> peers;
    for (std::size_t i = 0; i < size; ++i) peers.emplace_back(address_, request);
    WaitForStreams(before + size);
    return peers;
  }
  static std::size_t OpenDescriptors() {
    const auto all = std::filesystem::directory_iterator("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  // Without the text that the test's own clients keep.
  static std::int64_t MemoryWithout(const std::vector<StreamPeer>& peers) {
    std::int64_t bytes = MemoryInUse();
    for (const StreamPeer& peer : peers) bytes -= static_cast<std::int64_t>(peer.text().capacity());
    return bytes;
  }

  Feed bounded_{kBound};
  EventTopics topics_{{.base = 0}};
};

TEST_F(FaultsTest, F4ReadersThatStopHoldNoMoreThanTheirBoundAndEveryDropIsCounted) {
  Start({.write_deadline = milliseconds(500), .send_buffer = 4096});
  constexpr std::size_t kStopped = 20;
  std::vector<StreamPeer> stopped = Crowd(kStopped, {.receive_buffer = 4096});
  std::uint64_t most_pending = 0;
  for (int i = 0; i < 50; ++i) {
    PublishBounded(std::string(64 << 10, 'x'));
    OnLoop([&] { most_pending = std::max(most_pending, bounded_.pending()); });
  }
  EXPECT_LE(most_pending, kBound * kStopped);
  WaitForStreams(0);
  EXPECT_EQ(Counts().closed_slow, kStopped);
  const Ledger ledger = OnLoop([this] { return bounded_.ledger(); });
  EXPECT_TRUE(ledger.Balances(0));
  EXPECT_GT(ledger.dropped, 0u);
  EXPECT_EQ(ledger.evicted, kBound * kStopped);
}

// Likewise with the queues that topics have, and both ways in which they overflow.
TEST_F(FaultsTest, F4ATopicsQueuesHoldNoMoreThanTheirBound) {
  topics_.Add("flood");
  site_.open = [this](const HttpRequest& request) {
    const EventStreamOptions options{.topics = {"flood"},
                                     .overflow = request.Parameter("evict")
                                                     ? OverflowPolicy::kEvict
                                                     : OverflowPolicy::kDropAndCount,
                                     .queue_events = kBound};
    return StreamOffer{.source = topics_.Join(options), .group = group_.get()};
  };
  Start({.write_deadline = milliseconds(1000), .send_buffer = 4096});
  constexpr std::size_t kOfEach = 10;
  const std::vector<StreamPeer> dropping = Crowd(kOfEach, {.receive_buffer = 4096});
  const std::vector<StreamPeer> evicted =
      Crowd(kOfEach, {.path = "/events?evict", .receive_buffer = 4096});
  const std::string large(64 << 10, 'x');
  std::uint64_t most_pending = 0;
  for (int i = 0; i < 50; ++i) {
    OnLoop([&] {
      topics_.Publish("flood", {.data = large});
      server_->Kick(*group_);
      most_pending = std::max(most_pending, topics_.counts().pending);
    });
  }
  EXPECT_LE(most_pending, (kBound + 1) * 2 * kOfEach) << "a queue, and what is on its way";
  WaitForStreams(0);
  EXPECT_EQ(Counts().closed_slow, 2 * kOfEach);
  const EventTopicCounts counts = OnLoop([this] { return topics_.counts(); });
  EXPECT_EQ(counts.slow, kOfEach) << "the others are closed at the write deadline";
  EXPECT_GT(counts.ledger.dropped, 0u);
  EXPECT_TRUE(counts.ledger.Balances(0));
}

TEST_F(FaultsTest, F5OneSlowReaderTakesNothingFromTheOthers) {
  Start({.send_buffer = 4096});
  StreamPeer slow(address_, {.receive_buffer = 4096});
  WaitForStreams(1);
  std::vector<StreamPeer> others = Crowd(1000);
  constexpr int kEvents = 10;
  for (int i = 0; i < kEvents; ++i) {
    PublishBounded(std::to_string(i) + " " + std::string(8 << 10, 'x'));
    for (StreamPeer& peer : others) {
      const auto& events = peer.ReadEvents(static_cast<std::size_t>(i) + 1);
      ASSERT_TRUE(events.back().data.starts_with(std::to_string(i) + " "));
    }
  }
  const Ledger ledger = OnLoop([this] { return bounded_.ledger(); });
  EXPECT_GT(ledger.dropped, 0u) << "the slow one was slow";
  EXPECT_EQ(ledger.offered, 1001u * kEvents);
  EXPECT_GE(ledger.delivered, 1000u * kEvents);
  EXPECT_EQ(Counts().streams, 1001u);
}

TEST_F(FaultsTest, F6WhoComesBackInAFloodHasEveryEventOnceAndInOrder) {
  topics_.Add("flood");
  site_.open = [this](const HttpRequest& request) {
    const EventStreamOptions options{.topics = {"flood"},
                                     .overflow = OverflowPolicy::kEvict,
                                     .queue_events = 1024,
                                     .last_event_id = request.last_event_id};
    return StreamOffer{.source = topics_.Join(options), .group = group_.get()};
  };
  Start();
  std::vector<std::string> published;
  std::vector<std::string> seen;
  std::string last_id;
  const auto come_and_read = [&](std::size_t more_events, std::size_t events_to_read) {
    const std::string header = last_id.empty() ? "" : "Last-Event-ID: " + last_id + "\r\n";
    StreamPeer peer(address_, {.more = header});
    if (published.empty()) WaitForStreams(1);  // later ones may come before, between or after
    for (std::size_t i = 0; i < more_events; ++i) {
      published.push_back(std::to_string(published.size()));
      OnLoop([&] {
        topics_.Publish("flood", {.data = published.back()});
        server_->Kick(*group_);
      });
    }
    // What came beyond it is lost on the way: the client leaves before it looks.
    const auto& events = peer.ReadEvents(events_to_read);
    for (std::size_t i = 0; i < events_to_read; ++i) seen.push_back(events.at(i).data);
    last_id = events.at(events_to_read - 1).id;
  };
  for (int round = 0; round < 20; ++round) come_and_read(50, 40);
  come_and_read(0, published.size() - seen.size());
  EXPECT_EQ(seen, published);
}

TEST_F(FaultsTest, F9OneConnectionCarriesSeveralTopics) {
  for (const char* name : {"likes", "news", "unasked"}) topics_.Add(name);
  site_.open = [this](const HttpRequest& request) {
    EventStreamOptions options{.last_event_id = request.last_event_id};
    for (const char* key : {"a", "b"}) options.topics.push_back(request.Parameter(key).value());
    return StreamOffer{.source = topics_.Join(options), .group = group_.get()};
  };
  Start();
  StreamPeer peer(address_, {.path = "/events?a=likes&b=news"});
  WaitForStreams(1);
  OnLoop([&] {
    for (const char* name : {"likes", "unasked", "news"}) {
      topics_.Publish(name, {.name = name, .data = "of " + std::string(name)});
    }
    server_->Kick(*group_);
  });
  const auto& events = peer.ReadEvents(2);
  EXPECT_EQ(events[0].data, "of likes");
  EXPECT_EQ(events[1].data, "of news");
  EXPECT_EQ(Counts().connections, 1u);
}

TEST_F(FaultsTest, F10DeadPeersLeaveNothing) {
  Start({.write_deadline = milliseconds(100), .send_buffer = 4096});
  const auto cycle = [&](std::size_t size) {
    std::vector<StreamPeer> peers = Crowd(size, {.receive_buffer = 4096});
    PublishBounded(std::string(256 << 10, 'x'));  // what they are killed in the middle of
    for (std::size_t i = 0; i < size; i += 3) peers[i].peer().Reset();
    for (std::size_t i = 1; i < size; i += 3) peers[i].peer().Leave();
    WaitForStreams(0);  // the rest at the write deadline
  };
  cycle(60);  // what is allocated once is allocated now
  const std::size_t descriptors = OpenDescriptors();
  const std::int64_t before = MemoryInUse();
  for (int i = 0; i < 30; ++i) cycle(60);
  EXPECT_EQ(OpenDescriptors(), descriptors);
  EXPECT_EQ(Counts().connections, 0u);
  EXPECT_TRUE(OnLoop([this] { return bounded_.Balances() && bounded_.streams() == 0; }));
  EXPECT_LT(MemoryInUse() - before, kNoGrowth);
}

TEST_F(FaultsTest, F10TenMinutesOfPingsLeaveNothing) {
  Start({.heartbeat = milliseconds(1)});
  std::vector<StreamPeer> peers = Crowd(20);
  const auto pings = [&](std::uint64_t more) {
    const std::uint64_t until = Counts().heartbeats + more;
    WaitUntil("pings", [&](const SseServerCounts& counts) { return counts.heartbeats >= until; });
    PublishBounded("seen");
    for (StreamPeer& peer : peers) peer.ReadEvents(peer.events().size() + 1);
  };
  pings(200);
  const std::int64_t before = MemoryWithout(peers);
  pings(20 * 60);  // one every ten seconds
  EXPECT_LT(MemoryWithout(peers) - before, kNoGrowth);
}

}  // namespace
}  // namespace rpcbench
