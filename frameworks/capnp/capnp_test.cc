// What the conformance test does not ask of Cap'n Proto: absurd messages and cut connections.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "echo/error.h"
#include "echo/framework.h"
#include "frameworks/capnp/link.h"
#include "frameworks/capnp/test_message.h"

namespace rpcbench {

std::vector<Framework> CapnpFrameworks();

namespace {

using namespace std::chrono_literals;
// Takes replies; a test waits for one.
class OneReply final : public ReplySink {
 public:
  void OnReply(CallId, Outcome outcome, const RecordView&) override {
    const std::lock_guard lock(mutex_);
    outcome_ = outcome;
    arrived_.notify_all();
  }
  std::optional<Outcome> Wait() {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, 30s, [&] { return outcome_.has_value(); });
    return outcome_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Outcome> outcome_;
};

class CapnpServerTest : public testing::TestWithParam<int> {
 protected:
  CapnpServerTest() : framework_(CapnpFrameworks().at(static_cast<std::size_t>(GetParam()))) {
    ServerOptions options;
    options.delay = 0ms;
    server_ = framework_.start_server(options, meter_);
  }

  // True if the server closes the connection upon these bytes, or upon `cut`: their end.
  bool Closes(const void* bytes, std::size_t size, bool cut) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(server_->address().port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool closed = connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0 &&
                  send(fd, bytes, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
    if (cut) shutdown(fd, SHUT_WR);
    char answer[4096];
    ssize_t got = 1;
    while (closed && got > 0) got = recv(fd, answer, sizeof answer, 0);
    closed = closed && (got == 0 || errno == ECONNRESET);
    close(fd);
    return closed;
  }

  void ExpectServes() {
    OneReply reply;
    const auto clients = framework_.connect(server_->address(), {}, reply);
    const Record record{true, 1, 2, "still here"};
    clients[0]->Call(MakeCallId(0, 1), record);
    EXPECT_EQ(reply.Wait(), Outcome::kOk);
  }

  HoldMeter meter_;
  const Framework framework_;
  std::unique_ptr<EchoServer> server_;
};

TEST_P(CapnpServerTest, AnAbsurdHeaderClosesOnlyItsConnection) {
  for (const auto& header : {std::vector<std::uint32_t>{0xfffffffe, 1},
                             {100'000, 1},
                             {0, 0x40000000},
                             {0, static_cast<std::uint32_t>(kCapnpMessageWords) + 1}}) {
    EXPECT_TRUE(Closes(header.data(), header.size() * 4, false)) << header[0] << " " << header[1];
    ExpectServes();
  }
}

TEST_P(CapnpServerTest, AConnectionCutInsideAMessageClosesAlone) {
  const std::string bytes = TestMessage("half of it", 64).Bytes();
  for (const std::size_t length : {std::size_t{4}, std::size_t{8}, bytes.size() / 2}) {
    EXPECT_TRUE(Closes(bytes.data(), length, true)) << length;
    ExpectServes();
  }
}

TEST_P(CapnpServerTest, AMessageThatIsNoRpcClosesOnlyItsConnection) {
  const std::string bytes = TestMessage(std::string(100, '\xff'), 64).Bytes();
  Closes(bytes.data(), bytes.size(), true);
  ExpectServes();
}

TEST_P(CapnpServerTest, ARecordOverTheLimitFailsItsCallOnly) {
  OneReply refused;
  const Record record{false, 1, 2, std::string(kCapnpMessageWords * sizeof(capnp::word) + 1, 'x')};
  const auto clients = framework_.connect(server_->address(), {}, refused);
  clients[0]->Call(MakeCallId(0, 1), record);
  EXPECT_EQ(refused.Wait(), Outcome::kFailed);
  ExpectServes();
}

TEST_P(CapnpServerTest, ALongTextNeedsNoHint) {
  OneReply reply;
  const Record record{false, 1, 2, std::string(200'000, 'x')};
  const auto clients = framework_.connect(server_->address(), {}, reply);
  clients[0]->Call(MakeCallId(0, 1), record);
  EXPECT_EQ(reply.Wait(), Outcome::kOk);
}

TEST_P(CapnpServerTest, APeerThatNeverAnswersIsAnErrorInTime) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&name), size), 0);
  ASSERT_EQ(listen(fd, 4), 0);
  ASSERT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size), 0);
  OneReply reply;
  ClientOptions options;
  options.connect_timeout = 100ms;
  EXPECT_THROW(framework_.connect({"127.0.0.1", ntohs(name.sin_port)}, options, reply), Error);
  EXPECT_THROW(framework_.connect({"not an address", 1}, options, reply), Error);
  close(fd);
}

INSTANTIATE_TEST_SUITE_P(BothRows, CapnpServerTest, testing::Values(0, 1),
                         [](const auto& row) { return row.param == 0 ? "Stock" : "Buffered"; });

}  // namespace
}  // namespace rpcbench
