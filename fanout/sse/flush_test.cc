// V8 and F1 over a live server: after each tick a decoder has every byte so far, in each codec, by
// a shared encoder and by one of its own; and what a drain and a heartbeat add can be decoded.
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "fanout/encode/topic.h"
#include "fanout/sse/event.h"
#include "fanout/sse/live_server.h"
#include "fanout/sse/negotiate.h"

namespace rpcbench {
namespace {

using std::chrono::milliseconds;

// "/events" is a topic's stream, in the coding that is asked for; "?cohort=0" has its own encoder.
class FlushTest : public LiveServerTest,
                  public testing::WithParamInterface<std::tuple<Codec, bool>> {
 protected:
  FlushTest() {
    site_.open = [this](const HttpRequest& request) -> std::optional<StreamOffer> {
      const auto codec = Negotiate(request.has_accept_encoding
                                       ? std::optional<std::string_view>(request.accept_encoding)
                                       : std::nullopt);
      const bool shared = request.Parameter("cohort") != "0";
      return StreamOffer{codec.value(), topic_.Join(codec.value(), shared), group_.get(), !shared};
    };
  }

  StreamPeer Watch() {
    const auto [codec, shared] = GetParam();
    return StreamPeer(address_, {.path = shared ? "/events" : "/events?cohort=0",
                                 .accept_encoding = TokenOf(codec)});
  }
  void PublishState(const std::string& state) {
    std::string event;
    AppendEvent({.data = state}, event);
    OnLoop([&] {
      topic_.Publish(event);
      server_->Kick(*group_);
    });
  }
  // What needs no second frame, or may have one.
  static bool HasRetry() {
    const auto [codec, shared] = GetParam();
    return codec == Codec::kIdentity || (codec == Codec::kZstd && shared);
  }
  static std::string State(int i) { return std::to_string(i) + std::string(30, 's'); }

  void ExpectBalance() {
    const TopicCounts counts = OnLoop([this] { return topic_.counts(); });
    EXPECT_TRUE(counts.ledger.Balances(counts.pending));
  }

  Topic topic_{TopicOptions{}};
};

TEST_P(FlushTest, V8EachTickIsDecodedBeforeTheNext) {
  Start();
  StreamPeer peer = Watch();
  WaitForStreams(1);
  for (int i = 1; i <= 50; ++i) {  // F1: small events, far less than any encoder's buffer
    PublishState(State(i));
    const auto& events = peer.ReadEvents(static_cast<std::size_t>(i));
    ASSERT_EQ(events.back().data, State(i));
  }
  ExpectBalance();
}

TEST_P(FlushTest, V8AJoinerHasTheNewestStateAndThenEachTick) {
  Start();
  StreamPeer first = Watch();
  WaitForStreams(1);
  for (int i = 1; i <= 5; ++i) PublishState(State(i));
  StreamPeer joiner = Watch();
  while (joiner.events().empty() || joiner.events().back().data != State(5)) {
    joiner.ReadEvents(joiner.events().size() + 1);
  }
  PublishState(State(6));
  EXPECT_EQ(joiner.ReadEvents(joiner.events().size() + 1).back().data, State(6));
  EXPECT_EQ(first.ReadEvents(6).back().data, State(6));
}

// `retry` of a zstd stream is a frame of its own, which not every client reads past.
TEST_P(FlushTest, AClientOfOneFrameIsSentNothingButItsOwn) {
  Start();
  StreamPeer peer = Watch();
  WaitForStreams(1);
  PublishState(State(1));
  peer.ReadEvents(1);
  EXPECT_EQ(peer.text().find("retry:") != std::string::npos, HasRetry());
}

TEST_P(FlushTest, V9HeartbeatsPassUnseenBeforeAndBetweenEvents) {
  Start({.heartbeat = milliseconds(5)});
  StreamPeer peer = Watch();
  WaitForStreams(1);
  std::uint64_t seen = 0;
  for (int i = 1; i <= 5; ++i) {
    WaitUntil("a heartbeat", [&](const SseServerCounts& c) { return c.heartbeats > seen; });
    seen = Counts().heartbeats;
    PublishState(State(i));
    EXPECT_EQ(peer.ReadEvents(static_cast<std::size_t>(i)).back().data, State(i));
  }
}

TEST_P(FlushTest, V13ADrainedStreamDecodesToItsEnd) {
  Start();
  StreamPeer silent = Watch();
  StreamPeer peer = Watch();
  WaitForStreams(2);
  OnLoop([this] {
    topic_.Publish("data: state\n\n");
    server_->Kick(*group_);
  });
  peer.ReadEvents(1);
  Drain(milliseconds(100));
  peer.ReadToEnd();
  silent.ReadToEnd();
  EXPECT_TRUE(peer.ended_by_chunk());
  EXPECT_TRUE(silent.ended_by_chunk());
  EXPECT_TRUE(peer.text().ends_with("\n\n"));
  if (!HasRetry()) return;
  EXPECT_GE(peer.ReadRetry(2), 0);
  EXPECT_LE(peer.ReadRetry(2), 100);
}

TEST_P(FlushTest, V13AStreamThatSawNoEventDrainsToo) {
  Start();
  StreamPeer peer = Watch();
  WaitForStreams(1);
  Drain(milliseconds(100));
  peer.ReadToEnd();
  EXPECT_TRUE(peer.ended_by_chunk());
  EXPECT_TRUE(peer.events().empty());
}

std::string NameOfCase(const testing::TestParamInfo<std::tuple<Codec, bool>>& param) {
  return std::string(ToString(std::get<0>(param.param))) +
         (std::get<1>(param.param) ? "Shared" : "Private");
}

INSTANTIATE_TEST_SUITE_P(Codecs, FlushTest,
                         testing::Values(std::tuple(Codec::kIdentity, true),
                                         std::tuple(Codec::kZstd, true),
                                         std::tuple(Codec::kZstd, false),
                                         std::tuple(Codec::kBrotli, true),
                                         std::tuple(Codec::kBrotli, false)),
                         NameOfCase);

}  // namespace
}  // namespace rpcbench
