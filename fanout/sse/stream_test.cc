// Streams over a live server: heartbeats, peers that leave in each way, drain. V9, V10 and V13.
#include "fanout/sse/stream.h"

#include <gmock/gmock.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fanout/sse/live_server.h"

namespace rpcbench {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

class StreamTest : public LiveServerTest {
 protected:
  void PublishAndExpect(StreamPeer& peer, const std::string& data) {
    Publish(data);
    const auto& events = peer.ReadEvents(peer.events().size() + 1);
    EXPECT_EQ(events.back().data, data);
  }
};

TEST_F(StreamTest, V9AHeartbeatFollowsASilence) {
  Start({.heartbeat = milliseconds(20)});
  StreamPeer peer(address_);
  peer.ReadUntilText("retry: 1000\n\n:\n\n:\n\n");
  PublishAndExpect(peer, "awake");
  peer.ReadUntilText("data: awake\n\n:\n\n");
  EXPECT_GE(Counts().heartbeats, 3u);
}

TEST_F(StreamTest, V9ABusyStreamGetsNone) {
  Start();
  StreamPeer peer(address_);
  WaitForStreams(1);
  for (int i = 0; i < 100; ++i) PublishAndExpect(peer, "event");
  EXPECT_EQ(Counts().heartbeats, 0u);
}

// Streams are looked at once a second at the rarest.
TEST(SseServerOptionsTest, V9AHeartbeatIsDueWithinFifteenSeconds) {
  EXPECT_LE(SseServerOptions{}.heartbeat + std::chrono::seconds(1), std::chrono::seconds(15));
}

TEST_F(StreamTest, V10AFinFreesTheStream) {
  Start();
  StreamPeer leaves(address_);
  StreamPeer stays(address_);
  WaitForStreams(2);
  leaves.peer().Leave();
  WaitForStreams(1);
  EXPECT_EQ(Counts().closed_by_peer, 1u);
  PublishAndExpect(stays, "still there");
}

TEST_F(StreamTest, V10AHalfCloseIsALeave) {
  Start();
  StreamPeer peer(address_);
  WaitForStreams(1);
  peer.peer().HalfClose();
  WaitForStreams(0);
  peer.ReadToEnd();
  EXPECT_EQ(peer.peer().link(), RawPeer::Link::kFin);
}

TEST_F(StreamTest, V10AResetFreesTheStream) {
  Start();
  StreamPeer peer(address_);
  WaitForStreams(1);
  peer.peer().Reset();
  WaitForStreams(0);
  EXPECT_EQ(Counts().closed_by_peer, 1u);
}

// With a full window a peer that is there and one that vanished look the same.
TEST_F(StreamTest, V10APeerThatTakesNothingIsCutAtTheWriteDeadline) {
  Start({.write_deadline = milliseconds(200), .send_buffer = 4096});
  StreamPeer stuck(address_, {.receive_buffer = 4096});
  StreamPeer reads(address_);
  WaitForStreams(2);
  const std::string large(1 << 20, 'x');
  Publish(large);
  EXPECT_EQ(reads.ReadEvents(1)[0].data.size(), large.size());
  WaitForStreams(1);
  EXPECT_EQ(Counts().closed_slow, 1u);
  EXPECT_EQ(OnLoop([this] { return feed_.ledger().evicted; }), 1u);
  stuck.ReadToEnd();
  EXPECT_EQ(stuck.peer().link(), RawPeer::Link::kReset) << "so that the kernel keeps nothing of it";
}

// The kernel has room for many heartbeats to a peer that vanished, so that no write is stuck.
// Nothing vanishes on loopback: that the kernel was told when to give up is all that shows here.
TEST_F(StreamTest, V10TheKernelGivesAVanishedPeerUpAtTheWriteDeadline) {
  Start({.write_deadline = milliseconds(1234)});
  StreamPeer peer(address_);
  WaitForStreams(1);
  int accepted = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    sockaddr_in own{};
    socklen_t size = sizeof own;
    if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) != 0) continue;
    if (own.sin_family != AF_INET || ntohs(own.sin_port) != address_.port) continue;
    sockaddr_in other{};
    size = sizeof other;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&other), &size) != 0) continue;
    int timeout = 0;
    size = sizeof timeout;
    EXPECT_EQ(::getsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, &size), 0);
    EXPECT_EQ(timeout, 1234);
    ++accepted;
  }
  EXPECT_EQ(accepted, 1);
}

TEST_F(StreamTest, AClientThatAsksNothingIsCutAtTheRequestDeadline) {
  Start({.request_deadline = milliseconds(50)});
  RawPeer silent(address_);
  RawPeer half(address_);
  half.Send("GET /events HTTP/1.1\r\n");
  EXPECT_EQ(silent.ReadToEnd(), "");
  EXPECT_EQ(half.ReadToEnd(), "");
  EXPECT_EQ(Counts().connections, 0u);
}

TEST_F(StreamTest, AChunkGoesOnWhereTheKernelStopped) {
  Start({.send_buffer = 4096});
  StreamPeer peer(address_, {.receive_buffer = 4096});
  WaitForStreams(1);
  std::vector<std::string> sent;
  for (int i = 0; i < 8; ++i) {
    sent.push_back(std::string(100'000, static_cast<char>('a' + i)));
    Publish(sent.back());
  }
  peer.ReadEvents(sent.size());
  EXPECT_EQ(peer.data(), sent);
  EXPECT_TRUE(OnLoop([this] { return feed_.pending() == 0 && feed_.Balances(); }));
}

TEST_F(StreamTest, ASourceEndsItsStream) {
  Start();
  StreamPeer peer(address_);
  WaitForStreams(1);
  PublishAndExpect(peer, "last");
  OnLoop([this] { feed_.CloseAll("rotated"); });
  Publish("after");
  peer.ReadToEnd();
  EXPECT_THAT(peer.data(), ElementsAre("last", "after"));
  EXPECT_TRUE(peer.ended_by_chunk());
  EXPECT_EQ(Counts().closed_rotated, 1u);
}

TEST_F(StreamTest, V13DrainSpreadsTheReconnects) {
  Start();
  std::vector<StreamPeer> peers;
  for (int i = 0; i < 100; ++i) peers.emplace_back(address_);
  WaitForStreams(100);
  Publish("before");
  Drain(milliseconds(1000));
  std::vector<std::int64_t> retries;
  for (StreamPeer& peer : peers) {
    retries.push_back(peer.ReadRetry(2));
    peer.ReadToEnd();
    EXPECT_THAT(peer.data(), ElementsAre("before"));
    EXPECT_TRUE(peer.ended_by_chunk());
  }
  std::sort(retries.begin(), retries.end());
  for (std::size_t i = 0; i < retries.size(); ++i) {  // each in its hundredth of the time
    EXPECT_GE(retries[i], static_cast<std::int64_t>(10 * i));
    EXPECT_LE(retries[i], static_cast<std::int64_t>(10 * (i + 1)));
  }
  EXPECT_EQ(Counts().closed_drained, 100u);
}

TEST_F(StreamTest, V13DrainWaitsForWhatIsOnItsWay) {
  Start({.send_buffer = 4096});
  StreamPeer peer(address_, {.receive_buffer = 4096});
  WaitForStreams(1);
  const std::string large(1 << 20, 'x');
  Publish(large);
  auto done = std::make_shared<std::promise<void>>();
  OnLoop([&] { server_->Drain(milliseconds(10), [done] { done->set_value(); }); });
  EXPECT_EQ(Counts().streams, 1u);
  peer.ReadToEnd();
  done->get_future().wait();
  EXPECT_EQ(peer.ReadEvents(1)[0].data.size(), large.size());
  EXPECT_GE(peer.ReadRetry(2), 0);
}

TEST_F(StreamTest, V13DrainCutsWhoDoesNotTakeIt) {
  Start({.write_deadline = milliseconds(200), .send_buffer = 4096});
  StreamPeer stuck(address_, {.receive_buffer = 4096});
  RawPeer idle(address_);
  WaitForStreams(1);
  Publish(std::string(1 << 20, 'x'));
  Drain(milliseconds(10));
  EXPECT_EQ(Counts().connections, 0u);
  EXPECT_EQ(Counts().closed_slow, 1u);
  EXPECT_EQ(idle.ReadToEnd(), "");
}

TEST_F(StreamTest, V13AfterADrainNobodyConnects) {
  Start();
  Drain(milliseconds(10));
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(address_.port);
  ::inet_pton(AF_INET, address_.host.c_str(), &name.sin_addr);
  EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&name), sizeof name), -1);
  EXPECT_EQ(errno, ECONNREFUSED);
  ::close(socket);
}

TEST_F(StreamTest, AGroupMayGoBeforeItsStreams) {
  Start();
  StreamPeer peer(address_);
  WaitForStreams(1);
  OnLoop([this] { group_.reset(); });
  peer.peer().Leave();
  WaitForStreams(0);
}

TEST_F(StreamTest, EveryOpenedStreamIsCountedWhenItEnds) {
  Start();
  std::vector<StreamPeer> peers;
  for (int i = 0; i < 6; ++i) peers.emplace_back(address_);
  WaitForStreams(6);
  peers[0].peer().Leave();
  peers[1].peer().Reset();
  WaitForStreams(4);
  OnLoop([this] { server_->CutAll(); });
  const SseServerCounts counts = Counts();
  EXPECT_EQ(counts.opened, 6u);
  EXPECT_EQ(counts.closed_by_peer, 2u);
  EXPECT_EQ(counts.closed_cut, 4u);
  EXPECT_EQ(counts.streams, 0u);
  StreamPeer again(address_);
  WaitForStreams(1);
  PublishAndExpect(again, "goes on");
}

}  // namespace
}  // namespace rpcbench
