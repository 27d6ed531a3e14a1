// Thousands of streams that are lost at once and come back (F8), and more than there is room for
// (V14).
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fanout/sse/live_server.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMany = 2500;

class StampedeTest : public LiveServerTest {
 protected:
  StampedeTest() { RaiseDescriptorLimit(); }

  std::vector<StreamPeer> ComeAtOnce(std::size_t size) {
    std::vector<StreamPeer> peers;
    for (std::size_t i = 0; i < size; ++i) peers.emplace_back(address_);
    return peers;
  }
  void ExpectTheNextEvent(std::vector<StreamPeer>& peers, const std::string& data) {
    Publish(data);
    for (StreamPeer& peer : peers) {
      ASSERT_EQ(peer.ReadEvents(peer.events().size() + 1).back().data, data);
    }
  }
};

// The descriptors of a process, fewer for as long as this lives.
class DescriptorLimit final {
 public:
  // As many more can be opened.
  explicit DescriptorLimit(int more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(STDERR_FILENO);  // the lowest that is free; there are none above
    ::close(next);
    rlimit fewer = before_;
    fewer.rlim_cur = static_cast<rlim_t>(next + more);
    setrlimit(RLIMIT_NOFILE, &fewer);
  }
  ~DescriptorLimit() { setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(StampedeTest, F8AllComeBackAfterACut) {
  Start();
  std::vector<StreamPeer> peers = ComeAtOnce(kMany);
  WaitForStreams(kMany);
  ExpectTheNextEvent(peers, "before");
  OnLoop([this] { server_->CutAll(); });
  for (StreamPeer& peer : peers) {
    peer.ReadToEnd();
    EXPECT_FALSE(peer.ended_by_chunk()) << "a crash says nothing";
    peer.peer().Leave();
  }
  std::vector<StreamPeer> again = ComeAtOnce(kMany);
  WaitForStreams(kMany);
  ExpectTheNextEvent(again, "after");
  EXPECT_EQ(Counts().refused, 0u);
}

TEST_F(StampedeTest, F8AfterADrainNoTenthOfTheTimeGetsMoreThanItsShare) {
  Start();
  std::vector<StreamPeer> peers = ComeAtOnce(kMany);
  WaitForStreams(kMany);
  Drain(milliseconds(10'000));
  std::array<std::size_t, 10> tenths{};
  for (StreamPeer& peer : peers) {
    const auto retry = static_cast<std::size_t>(peer.ReadRetry(2));
    ++tenths.at(std::min<std::size_t>(retry / 1000, 9));
  }
  for (const std::size_t connects : tenths) EXPECT_NEAR(connects, kMany / 10, 2);
}

TEST_F(StampedeTest, V14OverTheLimitIsRefusedWithoutAnAnswer) {
  Start({.max_streams = 3});
  std::vector<StreamPeer> peers = ComeAtOnce(3);
  WaitForStreams(3);
  RawPeer refused(address_);
  refused.Send(ToText({}));
  EXPECT_EQ(refused.ReadToEnd(), "") << "503 would make an EventSource stop for good";
  EXPECT_EQ(refused.link(), RawPeer::Link::kReset);
  EXPECT_EQ(Counts().refused, 1u);
  ExpectTheNextEvent(peers, "untouched");
  EXPECT_THAT(Ask("GET /none HTTP/1.1\r\nHost: t\r\n\r\n"), testing::StartsWith("HTTP/1.1 404"));
  peers.back().peer().Leave();
  peers.pop_back();
  WaitForStreams(2);
  peers.emplace_back(address_);
  WaitForStreams(3);
  ExpectTheNextEvent(peers, "and the place is free again");
}

TEST_F(StampedeTest, V14WithoutDescriptorsConnectionsAreRefusedAndTheOthersGoOn) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the undefined-behaviour sanitizer opens a pipe to look at a vptr, and fails "
                  "without descriptors; built without it or with the thread sanitizer this runs";
#endif
  Start();
  std::vector<StreamPeer> peers = ComeAtOnce(3);
  WaitForStreams(3);
  std::vector<RawPeer> late;
  for (int i = 0; i < 20; ++i) late.emplace_back();
  std::size_t refused = 0;
  {
    const DescriptorLimit limit(5);
    for (RawPeer& peer : late) peer.Connect(address_);
    for (RawPeer& peer : late) peer.Send(ToText({}));
    for (RawPeer& peer : late) {
      const bool answered = peer.Read();
      if (answered) {
        EXPECT_TRUE(peer.TakeReceived().starts_with("HTTP/1.1 200"));
      } else {
        ++refused;
      }
    }
    ExpectTheNextEvent(peers, "untouched");
  }
  EXPECT_GE(refused, 14u);
  EXPECT_LT(refused, 20u);
  EXPECT_EQ(Counts().refused, refused);
  EXPECT_EQ(Counts().streams, 3 + late.size() - refused);
  StreamPeer again(address_);
  WaitForStreams(4 + late.size() - refused);
  Publish("there is room again");
  EXPECT_EQ(again.ReadEvents(1)[0].data, "there is room again");
}

}  // namespace
}  // namespace rpcbench
