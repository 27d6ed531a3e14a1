// What the conformance cases that all rows share cannot say: broken frames, unknown methods, and
// servers that lie. Both sides are driven over bare sockets here.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thrift/TApplicationException.h>
#include <thrift/transport/TBufferTransports.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "echo/framework.h"
#include "frameworks/thrift/connection.h"
#include "frameworks/thrift/wire.h"

namespace rpcbench {

std::vector<Framework> ThriftFrameworks();

namespace {

using namespace std::chrono_literals;
using apache::thrift::TApplicationException;
using apache::thrift::protocol::TMessageType;
using apache::thrift::transport::TMemoryBuffer;

constexpr auto kPatience = 30s;

class Outcomes final : public ReplySink {
 public:
  void OnReply(CallId id, Outcome outcome, const RecordView&) override {
    {
      const std::lock_guard lock(mutex_);
      settled_.emplace_back(id, outcome);
    }
    arrived_.notify_all();
  }

  std::vector<std::pair<CallId, Outcome>> WaitFor(std::size_t count) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, kPatience, [&] { return settled_.size() >= count; });
    return settled_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::pair<CallId, Outcome>> settled_;
};

// A connection whose bytes the test chooses. Every wait ends after kPatience.
class Wire final {
 public:
  explicit Wire(int fd) : fd_(fd) { SetPatience(); }
  explicit Wire(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    SetPatience();
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  }

  void Send(std::string_view bytes) {
    EXPECT_EQ(::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  // True if the peer closes without sending anything.
  bool IsClosed() {
    char byte = 0;
    const ssize_t size = ::recv(fd_.get(), &byte, 1, 0);
    return size == 0 || (size < 0 && errno == ECONNRESET);
  }

  // The payload of the next frame, or nothing.
  std::string ReadFrame() {
    std::uint32_t length = 0;
    if (!ReadExactly(reinterpret_cast<char*>(&length), sizeof length)) return "";
    std::string payload(std::min(ntohl(length), kMaxThriftFrame), '\0');
    return ReadExactly(payload.data(), payload.size()) ? payload : "";
  }

 private:
  void SetPatience() {
    const timeval patience{.tv_sec = kPatience.count(), .tv_usec = 0};
    ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  bool ReadExactly(char* to, std::size_t size) {
    return size == 0 || ::recv(fd_.get(), to, size, MSG_WAITALL) == static_cast<ssize_t>(size);
  }

  Descriptor fd_;
};

// A socket that listens and does nothing else.
class BareListener final {
 public:
  BareListener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof name;
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&name), size), 0);
    EXPECT_EQ(::listen(fd_.get(), 4), 0);
    EXPECT_EQ(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);
    address_.port = ntohs(name.sin_port);
  }

  const Address& address() const { return address_; }
  Wire Accept() { return Wire(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC)); }

 private:
  Descriptor fd_;
  Address address_;
};

std::string Framed(std::string_view payload) {
  const std::uint32_t length = htonl(static_cast<std::uint32_t>(payload.size()));
  std::string frame(reinterpret_cast<const char*>(&length), sizeof length);
  return frame.append(payload);
}

class Thrift : public testing::TestWithParam<ThriftWire> {
 protected:
  std::unique_ptr<EchoServer> Start(std::chrono::nanoseconds delay = 0ms) {
    ServerOptions options;
    options.delay = delay;
    return Start(options);
  }

  std::unique_ptr<EchoServer> Start(const ServerOptions& options) {
    return Row().start_server(options, meter_);
  }

  EchoClients Connect(const Address& address, ReplySink& sink, int connections = 1) {
    ClientOptions options;
    options.connections = connections;
    return Row().connect(address, options, sink);
  }

  const Framework& Row() const { return rows_[GetParam() == ThriftWire::kBinary ? 0 : 1]; }

  // A message, framed; `fill` writes what is between its begin and its end.
  using Protocol = apache::thrift::protocol::TProtocol;
  std::string Message(const std::string& method, TMessageType type, std::int32_t sequence,
                      const std::function<void(Protocol&)>& fill) {
    const auto buffer = std::make_shared<TMemoryBuffer>();
    const auto protocol = MakeThriftProtocols(GetParam())->getProtocol(buffer);
    protocol->writeMessageBegin(method, type, sequence);
    fill(*protocol);
    protocol->writeMessageEnd();
    return Framed(buffer->getBufferAsString());
  }

  // A well-formed echo reply.
  std::string Reply(std::int32_t sequence, const std::string& method = "echo") {
    return Message(method, apache::thrift::protocol::T_REPLY, sequence, [](Protocol& out) {
      thrift_schema::Echo_echo_result result;
      result.__isset.success = true;
      result.write(&out);
    });
  }

  std::string CallOf(std::int32_t sequence, const Record& record) {
    const auto frame = codec_->Encode(sequence, record);
    return {frame.begin(), frame.end()};
  }

  bool IsReply(const std::string& payload, std::int32_t sequence) {
    RecordView reply;
    return codec_->Decode({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()},
                          sequence, reply);
  }

  // What the first of two calls ends as when the server answers it with `answer`; then both have
  // to be settled, and the connection to be closed.
  Outcome OutcomeOfAnswer(const std::string& answer) {
    BareListener listener;
    Outcomes outcomes;
    const auto clients = Connect(listener.address(), outcomes);
    Wire server = listener.Accept();
    clients[0]->Call(MakeCallId(0, 1), record_);
    clients[0]->Call(MakeCallId(1, 1), record_);
    EXPECT_NE(server.ReadFrame(), "");
    server.Send(answer);
    const auto settled = outcomes.WaitFor(2);
    EXPECT_EQ(settled.size(), 2u);
    if (settled.size() != 2) return Outcome::kTimedOut;
    EXPECT_EQ(settled[0].first, MakeCallId(0, 1));
    EXPECT_EQ(settled[1].second, Outcome::kFailed);
    EXPECT_TRUE(server.IsClosed());
    return settled[0].second;
  }

  const std::vector<Framework> rows_ = ThriftFrameworks();  // also quiets the library
  const Record record_{true, 7, 1.5, "text"};
  HoldMeter meter_;
  std::unique_ptr<ThriftCodec> codec_ = MakeThriftCodec(GetParam());
};

TEST_P(Thrift, ServerClosesAFrameOfFourGigabytes) {
  const auto server = Start();
  Wire wire(server->address().port);
  wire.Send("\xff\xff\xff\xff");
  EXPECT_TRUE(wire.IsClosed());
}

TEST_P(Thrift, ServerClosesAFrameOverTheLimit) {
  const auto server = Start();
  Wire wire(server->address().port);
  wire.Send(Framed(std::string(kMaxThriftFrame + 1, 'x')).substr(0, 64));
  EXPECT_TRUE(wire.IsClosed());
}

TEST_P(Thrift, ServerOutlivesGarbageInAFrame) {
  for (const auto delay : {0ms, 1ms}) {  // in the I/O thread and in a worker
    const auto server = Start(delay);
    Wire garbage(server->address().port);
    garbage.Send(Framed(std::string(300, '\x7f')));
    Wire wire(server->address().port);
    wire.Send(CallOf(5, record_));
    EXPECT_TRUE(IsReply(wire.ReadFrame(), 5));
  }
}

TEST_P(Thrift, HalfAFrameHoldsUpNobodyElse) {
  const auto server = Start(1ms);
  Wire silent(server->address().port);
  const std::string call = CallOf(1, record_);
  silent.Send(std::string_view(call).substr(0, call.size() / 2));
  Wire wire(server->address().port);
  wire.Send(CallOf(2, record_));
  EXPECT_TRUE(IsReply(wire.ReadFrame(), 2));
  silent.Send(std::string_view(call).substr(call.size() / 2));
  EXPECT_TRUE(IsReply(silent.ReadFrame(), 1));
}

TEST_P(Thrift, UnknownMethodIsAnsweredAndTheConnectionGoesOn) {
  const auto server = Start();
  Wire wire(server->address().port);
  wire.Send(Message("nonsense", apache::thrift::protocol::T_CALL, 9,
                    [](Protocol& out) { thrift_schema::Echo_echo_args().write(&out); }));
  std::string payload = wire.ReadFrame();
  ASSERT_NE(payload, "");
  const auto buffer = std::make_shared<TMemoryBuffer>(
      reinterpret_cast<std::uint8_t*>(payload.data()), static_cast<std::uint32_t>(payload.size()));
  const auto protocol = MakeThriftProtocols(GetParam())->getProtocol(buffer);
  std::string method;
  TMessageType type{};
  std::int32_t sequence = 0;
  protocol->readMessageBegin(method, type, sequence);
  ASSERT_EQ(type, apache::thrift::protocol::T_EXCEPTION);
  EXPECT_EQ(sequence, 9);
  TApplicationException exception;
  exception.read(protocol.get());
  EXPECT_EQ(exception.getType(), TApplicationException::UNKNOWN_METHOD);
  wire.Send(CallOf(10, record_));
  EXPECT_TRUE(IsReply(wire.ReadFrame(), 10));
}

TEST_P(Thrift, StopWakesAllWorkersAndDropsTheirCalls) {
  ServerOptions options;
  options.delay = 1h;
  options.connections = 40;
  options.threads = 2;
  const auto server = Start(options);
  Outcomes outcomes;
  const auto clients = Connect(server->address(), outcomes, options.connections);
  for (std::uint32_t i = 0; i < clients.size(); ++i) clients[i]->Call(MakeCallId(i, 1), record_);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (meter_.Report().peak_in_flight < options.connections &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(meter_.Report().peak_in_flight, options.connections) << "a worker a connection";
  server->Stop();
  const auto settled = outcomes.WaitFor(clients.size());
  EXPECT_EQ(settled.size(), clients.size());
  for (const auto& [id, outcome] : settled) EXPECT_EQ(outcome, Outcome::kFailed);
  EXPECT_EQ(meter_.Report().calls, 0u);
}

TEST_P(Thrift, ClientTakesAReplyInPiecesWhileOthersAreServed) {
  BareListener listener;
  Outcomes outcomes;
  const auto clients = Connect(listener.address(), outcomes, 2);
  Wire first = listener.Accept();
  Wire second = listener.Accept();
  clients[0]->Call(MakeCallId(0, 1), record_);
  clients[1]->Call(MakeCallId(1, 1), record_);
  EXPECT_NE(first.ReadFrame(), "");
  EXPECT_NE(second.ReadFrame(), "");
  const std::string reply = Reply(1);
  first.Send(std::string_view(reply).substr(0, 2));
  second.Send(reply);
  EXPECT_EQ(outcomes.WaitFor(1).front(), std::pair(MakeCallId(1, 1), Outcome::kOk));
  for (const char byte : reply.substr(2)) first.Send({&byte, 1});
  const auto settled = outcomes.WaitFor(2);
  ASSERT_EQ(settled.size(), 2u);
  EXPECT_EQ(settled.back(), std::pair(MakeCallId(0, 1), Outcome::kOk));
}

TEST_P(Thrift, WrongSequenceIdFailsTheCall) {
  EXPECT_EQ(OutcomeOfAnswer(Reply(2)), Outcome::kFailed);
}

TEST_P(Thrift, WrongMethodFailsTheCall) {
  EXPECT_EQ(OutcomeOfAnswer(Reply(1, "other")), Outcome::kFailed);
}

TEST_P(Thrift, ApplicationExceptionFailsTheCall) {
  const std::string answer =
      Message("echo", apache::thrift::protocol::T_EXCEPTION, 1, [](Protocol& out) {
        TApplicationException(TApplicationException::INTERNAL_ERROR, "no").write(&out);
      });
  EXPECT_EQ(OutcomeOfAnswer(answer), Outcome::kFailed);
}

TEST_P(Thrift, EmptyResultFailsTheCall) {
  const std::string answer =
      Message("echo", apache::thrift::protocol::T_REPLY, 1,
              [](Protocol& out) { thrift_schema::Echo_echo_result().write(&out); });
  EXPECT_EQ(OutcomeOfAnswer(answer), Outcome::kFailed);
}

TEST_P(Thrift, BrokenRepliesFailTheCall) {
  EXPECT_EQ(OutcomeOfAnswer("\xff\xff\xff\xff"), Outcome::kFailed) << "4 GB";
  EXPECT_EQ(OutcomeOfAnswer(std::string(4, '\0')), Outcome::kFailed) << "an empty frame";
  EXPECT_EQ(OutcomeOfAnswer(Framed(std::string(100, '\x7f'))), Outcome::kFailed) << "garbage";
  EXPECT_EQ(OutcomeOfAnswer(Framed(Reply(1).substr(4) + "x")), Outcome::kFailed) << "a byte over";
  const std::string cut = Reply(1).substr(4);
  EXPECT_EQ(OutcomeOfAnswer(Framed(cut.substr(0, cut.size() - 1))), Outcome::kFailed) << "cut";
}

INSTANTIATE_TEST_SUITE_P(Wires, Thrift, testing::Values(ThriftWire::kBinary, ThriftWire::kCompact),
                         [](const auto& wire) {
                           return wire.param == ThriftWire::kBinary ? "Binary" : "Compact";
                         });

}  // namespace
}  // namespace rpcbench
