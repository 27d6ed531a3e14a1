// The WebSocket server against raw frames: handshake, pings, fragments and close codes. And a
// client whose server never answers.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "echo/error.h"
#include "frameworks/beast/raw_client.h"
#include "frameworks/beast/ws.h"
#include "frameworks/beast/ws_frames.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

constexpr std::uint8_t kFin = 0x80, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

// A client's frame, masked; the payload is at most 64 KiB.
std::string Frame(std::uint8_t first, const std::string& payload) {
  const std::string mask = "\x01\x02\x03\x04";
  std::string frame(1, static_cast<char>(first));
  if (payload.size() < 126) {
    frame += static_cast<char>(0x80 | payload.size());
  } else {
    frame += static_cast<char>(0xfe);
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size());
  }
  frame += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) frame += payload[i] ^ mask[i % 4];
  return frame;
}

std::string ServerFrame(std::uint8_t first, const std::string& payload) {
  return std::string{static_cast<char>(first), static_cast<char>(payload.size())} + payload;
}

std::string CloseFrame(std::uint16_t code) {
  return ServerFrame(kFin | kClose, {static_cast<char>(code >> 8), static_cast<char>(code)});
}

std::string Message(CallId id) {
  proto::Envelope envelope;
  envelope.set_id(id);
  envelope.mutable_record()->set_text("hello");
  return envelope.SerializeAsString();
}

std::string Upgrade(const std::string& target) {
  return "GET " + target +
         " HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
}

class BeastWs : public testing::Test {
 protected:
  BeastWs() { Start({}); }

  void Start(const WsLimits& limits) {
    server_.reset();
    ServerOptions options;
    options.delay = 0ms;
    server_ = StartWsServer("test", options, meter_, limits);
  }

  std::uint16_t port() const { return server_->address().port; }

  // A connection behind its handshake.
  std::unique_ptr<RawClient> Open() {
    auto client = std::make_unique<RawClient>(port());
    client->Send(Upgrade("/rpcbench.Echo/Echo"));
    EXPECT_TRUE(client->ReadUntil("\r\n\r\n").starts_with("HTTP/1.1 101 "));
    client->Forget();
    return client;
  }

  void ExpectClosedWith(const std::string& frames, std::uint16_t code) {
    const auto client = Open();
    client->Send(frames);
    const std::string expected = CloseFrame(code);
    EXPECT_EQ(client->ReadBytes(expected.size()), expected);
    client->ReadAll();
  }

  void ExpectEchoed(RawClient& client, const std::string& frames, CallId id) {
    client.Forget();
    client.Send(frames);
    const std::string expected = ServerFrame(kFin | kBinary, Message(id));
    EXPECT_EQ(client.ReadBytes(expected.size()), expected);
  }

  HoldMeter meter_;
  std::unique_ptr<EchoServer> server_;
};

TEST_F(BeastWs, RefusesOtherPathsAndPlainHttp) {
  RawClient wrong_path(port());
  wrong_path.Send(Upgrade("/other"));
  EXPECT_TRUE(wrong_path.ReadAll().starts_with("HTTP/1.1 404"));
  RawClient no_upgrade(port());
  no_upgrade.Send("GET /rpcbench.Echo/Echo HTTP/1.1\r\nHost: test\r\n\r\n");
  EXPECT_TRUE(no_upgrade.ReadAll().starts_with("HTTP/1.1 426"));
  RawClient broken(port());
  broken.Send("hello\r\n\r\n");
  EXPECT_TRUE(broken.ReadAll().starts_with("HTTP/1.1 400"));
  RawClient endless(port());
  endless.Send("GET / HTTP/1.1\r\nX: " + std::string(9000, 'x'));
  EXPECT_TRUE(endless.ReadAll().starts_with("HTTP/1.1 431"));
}

TEST_F(BeastWs, EchoesManyMessagesOfOneSegmentAndOneAByteAtATime) {
  const auto client = Open();
  client->Send(Frame(kFin | kBinary, Message(1)) + Frame(kFin | kBinary, Message(2)));
  const std::string expected =
      ServerFrame(kFin | kBinary, Message(1)) + ServerFrame(kFin | kBinary, Message(2));
  EXPECT_EQ(client->ReadBytes(expected.size()), expected);
  client->Forget();
  for (const char byte : Frame(kFin | kBinary, Message(3))) client->Send({&byte, 1});
  const std::string third = ServerFrame(kFin | kBinary, Message(3));
  EXPECT_EQ(client->ReadBytes(third.size()), third);
}

TEST_F(BeastWs, ReadsFragments) {
  const auto client = Open();
  const std::string message = Message(4);
  ExpectEchoed(*client,
               Frame(kBinary, message.substr(0, 5)) + Frame(0, "") +
                   Frame(0, message.substr(5, 3)) + Frame(kFin, message.substr(8)),
               4);
  ExpectEchoed(*client, Frame(kFin | kBinary, Message(5)), 5);
}

TEST_F(BeastWs, AnswersPingsAloneAndBetweenFragments) {
  const auto client = Open();
  client->Send(Frame(kFin | kPing, "are you there?"));
  const std::string pong = ServerFrame(kFin | kPong, "are you there?");
  EXPECT_EQ(client->ReadBytes(pong.size()), pong);
  ExpectEchoed(*client, Frame(kFin | kPong, "") + Frame(kFin | kBinary, Message(6)), 6);
  client->Forget();
  const std::string message = Message(7);
  client->Send(Frame(kBinary, message.substr(0, 4)) + Frame(kFin | kPing, "x") +
               Frame(kFin, message.substr(4)));
  const std::string both = ServerFrame(kFin | kPong, "x") + ServerFrame(kFin | kBinary, message);
  EXPECT_EQ(client->ReadBytes(both.size()), both);
}

TEST_F(BeastWs, ClosesWithTheCodeOfTheFault) {
  ExpectClosedWith(Frame(kFin | kClose, {3, static_cast<char>(0xe8)}), 1000);
  ExpectClosedWith(Frame(kFin | kText, "hello"), 1003);
  ExpectClosedWith(Frame(kFin | kBinary, "\xff\xff"), 1007);
  ExpectClosedWith(std::string("\x82\xff\0\0\0\1\0\0\0\0\1\2\3\4", 14), 1009);
  ExpectClosedWith(Frame(kFin | 3, "reserved opcode"), 1002);
  ExpectClosedWith(ServerFrame(kFin | kBinary, "no mask"), 1002);
}

TEST_F(BeastWs, SilentConnectionsAreClosed) {
  Start({.silence = 100ms});
  RawClient silent(port());
  const auto open = Open();
  EXPECT_EQ(silent.ReadAll(), "");
  open->ReadAll();
}

class NoReplies final : public ReplySink {
 public:
  void OnReply(CallId, Outcome, const RecordView&) override {}
};

TEST(BeastWsClient, GivesUpOnASilentServer) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&name), size), 0);
  ASSERT_EQ(listen(fd, 1), 0);
  getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size);
  ClientOptions options;
  options.connect_timeout = 50ms;
  NoReplies sink;
  const Address address{.host = "127.0.0.1", .port = ntohs(name.sin_port)};
  try {
    ConnectWs("test", address, options, sink);
    FAIL() << "connected to a server that never answered";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(ToString(address)), std::string::npos);
  }
  close(fd);
}

}  // namespace
}  // namespace rpcbench
