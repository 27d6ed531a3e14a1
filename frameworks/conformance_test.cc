// Every framework through the same cases. A framework that passes is set up right; how fast it is,
// is not asked here.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "echo/dataset.h"
#include "echo/error.h"
#include "frameworks/conformance_fixture.h"
#include "measure/sockets.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

TEST_P(Conformance, EchoesEmptyAndLongestText) {
  ExpectEchoed(
      {Record{}, Record{true, 1, 1.5, std::string(kMaxText, 'x')}, Record{false, 2, -0.0, "a"}});
}

TEST_P(Conformance, EchoesExtremeNumbers) {
  using Int = std::numeric_limits<std::int64_t>;
  using Real = std::numeric_limits<double>;
  std::vector<Record> records;
  for (const std::int64_t number :
       {Int::min(), Int::max(), std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 53) + 1}) {
    records.push_back({false, number, 0, "number"});
  }
  for (const double real : {Real::max(), Real::lowest(), Real::min(), Real::denorm_min(), -0.0, 0.1,
                            Real::infinity(), -Real::infinity()}) {
    records.push_back({true, 0, real, "real"});
  }
  ExpectEchoed(records);
}

TEST_P(Conformance, EchoesNan) {
  double payload = 0;
  const std::uint64_t bits = 0x7ff8dead'beef1234;
  std::memcpy(&payload, &bits, sizeof payload);
  ExpectEchoed(
      {{false, 1, std::numeric_limits<double>::quiet_NaN(), "nan"}, {false, 2, payload, "nan"}});
}

TEST_P(Conformance, EchoesAnyText) {
  ExpectEchoed({{false, 1, 0, "quote\" backslash\\ slash/ \b\f\n\r\t \x01\x1f\x7f"},
                {false, 2, 0, "gr\xc3\xbc\xc3\x9f \xe4\xb8\xad \xf0\x9f\x90\xa2"},
                {false, 3, 0, std::string("nul\0nul", 7)},
                {false, 4, 0, "\"},\"number\":\"9\""}});
}

TEST_P(Conformance, EchoesManyInFlight) {
  const Dataset dataset({.records = 512});
  const auto server = Start(20ms);
  Recorder recorder;
  const auto clients = Connect(*server, recorder, 4);
  const std::uint32_t calls = framework_.traits.carries == Carries::kOne ? 48 : 2000;
  for (std::uint32_t i = 0; i < calls; ++i) {
    clients[i % clients.size()]->Call(MakeCallId(i, 1), dataset[i]);
  }
  ASSERT_TRUE(recorder.WaitFor(calls));
  ExpectEachOnce(recorder, calls);
  for (const auto& reply : recorder.replies()) {
    ASSERT_EQ(reply.outcome, Outcome::kOk);
    EXPECT_TRUE(Same(reply.record, dataset[SlotOf(reply.id)]));
  }
  const HoldReport held = meter_.Report();
  EXPECT_EQ(held.calls, calls);
  EXPECT_GE(held.least, 20ms) << "a request was not held for its delay";
  if (framework_.traits.carries == Carries::kOne) {
    EXPECT_LE(held.peak_in_flight, 4) << "more at once than connections";
  } else {
    EXPECT_GT(held.peak_in_flight, 4);
  }
}

TEST_P(Conformance, RepliesOvertakeOnlyWhereTheTraitsSaySo) {
  ServerOptions options;
  options.delay = 0ms;
  options.slow_delay = 300ms;
  const auto server = Start(options);
  Recorder recorder;
  const auto clients = Connect(*server, recorder);
  const Record slow{true, 1, 0, "slow"};
  const Record fast{false, 2, 0, "fast"};
  clients[0]->Call(MakeCallId(0, 1), slow);
  for (std::uint32_t i = 1; i <= 5; ++i) clients[0]->Call(MakeCallId(i, 1), fast);
  ASSERT_TRUE(recorder.WaitFor(6));
  ExpectEachOnce(recorder, 6);
  ASSERT_EQ(recorder.Count(Outcome::kOk), 6u);
  const bool slow_first = SlotOf(recorder.replies().front().id) == 0;
  EXPECT_EQ(slow_first, framework_.traits.carries != Carries::kMany);
}

TEST_P(Conformance, CallsFromInsideOnReply) {
  const Dataset dataset({.records = 64});
  const auto server = Start(0ms);
  Recorder recorder;
  const auto clients = Connect(*server, recorder, 2);
  constexpr std::uint32_t kRounds = 200;
  recorder.Then([&](CallId id, Outcome outcome) {
    const auto generation = static_cast<std::uint32_t>(id >> 32) + 1;
    if (outcome != Outcome::kOk || generation == kRounds) return;
    const std::uint32_t slot = SlotOf(id);
    clients[slot % 2]->Call(MakeCallId(slot, generation), dataset[slot + generation]);
  });
  for (std::uint32_t slot = 0; slot < 8; ++slot) {
    clients[slot % 2]->Call(MakeCallId(slot, 0), dataset[slot]);
  }
  ASSERT_TRUE(recorder.WaitFor(8 * kRounds));
  ExpectEachOnce(recorder, 8 * kRounds);
  for (const auto& reply : recorder.replies()) {
    ASSERT_EQ(reply.outcome, Outcome::kOk);
    EXPECT_TRUE(Same(reply.record, dataset[SlotOf(reply.id) + (reply.id >> 32)]));
  }
}

TEST_P(Conformance, WorksWithTwoThreadsASide) {
  const Dataset dataset({.records = 64});
  const auto server = Start(1ms, 2);
  Recorder recorder;
  const auto clients = Connect(*server, recorder, 4, 4096, 2);
  const std::uint32_t calls = framework_.traits.carries == Carries::kOne ? 100 : 1000;
  for (std::uint32_t i = 0; i < calls; ++i) {
    clients[i % clients.size()]->Call(MakeCallId(i, 1), dataset[i]);
  }
  ASSERT_TRUE(recorder.WaitFor(calls));
  ExpectEachOnce(recorder, calls);
  EXPECT_EQ(recorder.Count(Outcome::kOk), calls);
}

TEST_P(Conformance, EverySocketCountsAndHasNoDelay) {
  if (framework_.traits.in_process) {
    SUCCEED() << "no socket";
    return;
  }
  const auto server = Start(0ms);
  Recorder recorder;
  constexpr int kConnections = 5;
  const auto clients = Connect(*server, recorder, kConnections);
  ASSERT_EQ(clients.size(), static_cast<std::size_t>(kConnections));
  const Record record{false, 1, 2, "x"};
  for (std::uint32_t i = 0; i < kConnections; ++i) clients[i]->Call(MakeCallId(i, 1), record);
  ASSERT_TRUE(recorder.WaitFor(kConnections));
  const std::uint16_t port = server->address().port;
  EXPECT_EQ(EstablishedConnections(port), kConnections);
  for (const Side side : {Side::kClient, Side::kServer}) {
    const SocketFacts facts = OwnSockets(port, side);
    EXPECT_EQ(facts.established, kConnections);
    EXPECT_EQ(facts.without_nodelay, 0);
  }
}

TEST_P(Conformance, ServerStoppedInMidCallSettlesEveryCall) {
  const auto server = Start(10s);
  Recorder recorder;
  const auto clients = Connect(*server, recorder, 3);
  const Record record{false, 1, 2, "never answered"};
  for (std::uint32_t i = 0; i < 30; ++i) clients[i % 3]->Call(MakeCallId(i, 1), record);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (meter_.Report().peak_in_flight == 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  server->Stop();
  ASSERT_TRUE(recorder.WaitFor(30));
  ExpectEachOnce(recorder, 30);
  EXPECT_EQ(recorder.Count(Outcome::kOk), 0u);
}

TEST_P(Conformance, CallOnADeadConnectionSettles) {
  const auto server = Start(0ms);
  Recorder recorder;
  const auto clients = Connect(*server, recorder);
  const Record record{false, 1, 2, "x"};
  clients[0]->Call(MakeCallId(0, 1), record);
  ASSERT_TRUE(recorder.WaitFor(1));
  server->Stop();
  clients[0]->Call(MakeCallId(1, 1), record);
  clients[0]->Call(MakeCallId(2, 1), record);
  ASSERT_TRUE(recorder.WaitFor(3));
  ExpectEachOnce(recorder, 3);
  EXPECT_EQ(recorder.Count(Outcome::kOk), 1u);
}

TEST_P(Conformance, DestroyedClientSettlesWhatIsInFlight) {
  const auto server = Start(10s);
  Recorder recorder;
  const Record record{false, 1, 2, "x"};
  auto clients = Connect(*server, recorder, 2);
  for (std::uint32_t i = 0; i < 20; ++i) clients[i % 2]->Call(MakeCallId(i, 1), record);
  clients.pop_back();
  EXPECT_TRUE(recorder.WaitFor(10, 0s))
      << "the destructor must not return before its calls settled";
  clients.clear();
  EXPECT_TRUE(recorder.WaitFor(20, 0s));
  ExpectEachOnce(recorder, 20);
  EXPECT_EQ(recorder.Count(Outcome::kOk), 0u);
  EXPECT_EQ(recorder.Count(Outcome::kCancelled), 20u);
}

TEST_P(Conformance, UnreachableAddressIsAnError) {
  Address nowhere;
  {
    const auto server = Start(0ms);
    nowhere = server->address();
  }
  Recorder recorder;
  ClientOptions options;
  options.connect_timeout = 1s;
  try {
    framework_.connect(nowhere, options, recorder);
    FAIL() << "connected to a port where nobody listens";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(nowhere.port)), std::string::npos)
        << "the message does not name the address: " << error.what();
  }
}

TEST_P(Conformance, PortInUseIsAnError) {
  const auto server = Start(0ms);
  ServerOptions options;
  options.listen = server->address();
  try {
    Start(options);
    FAIL() << "two servers on one port";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(options.listen.port)),
              std::string::npos)
        << "the message does not name the port: " << error.what();
  }
}

TEST_P(Conformance, TwoServersAtOnce) {
  const auto first = Start(0ms);
  const auto second = Start(0ms);
  EXPECT_NE(first->address().port, second->address().port);
  Recorder recorder;
  const auto clients = Connect(*first, recorder);
  const auto others = Connect(*second, recorder);
  const Record record{false, 1, 2, "x"};
  clients[0]->Call(MakeCallId(0, 1), record);
  others[0]->Call(MakeCallId(1, 1), record);
  ASSERT_TRUE(recorder.WaitFor(2));
  EXPECT_EQ(recorder.Count(Outcome::kOk), 2u);
}

TEST_P(Conformance, StartsAgainOnThePortItLeft) {
  ServerOptions options;
  options.delay = 0ms;
  for (int round = 0; round < 3; ++round) {
    const auto server = Start(options);
    options.listen = server->address();
    Recorder recorder;
    const auto clients = Connect(*server, recorder);
    const Record record{false, round, 2, "x"};
    clients[0]->Call(MakeCallId(0, 1), record);
    ASSERT_TRUE(recorder.WaitFor(1));
    EXPECT_EQ(recorder.Count(Outcome::kOk), 1u);
    server->Stop();
    server->Stop();
  }
}

// Sends `bytes` on a connection of its own, and closes it at once or when the server does.
void SendRaw(std::uint16_t port, const std::string& bytes, bool wait_for_close) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(fd, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  (void)!send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  char sink[4096];
  while (wait_for_close && recv(fd, sink, sizeof sink, 0) > 0) {
  }
  close(fd);
}

TEST_P(Conformance, GarbageDoesNotHurtTheNextConnection) {
  if (framework_.traits.in_process) {
    SUCCEED() << "no socket";
    return;
  }
  const auto server = Start(0ms);
  const std::uint16_t port = server->address().port;
  std::mt19937 random(42);
  std::string noise(5000, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  SendRaw(port, noise, true);
  SendRaw(port, std::string(64, '\xff'), true);                  // a length of 4 GB
  SendRaw(port, std::string("\x00\x00\x00\x10\x01", 5), false);  // the start of a frame
  SendRaw(port, "POST /rpcbench.Echo/Echo HTTP/1.1\r\nContent-Le", false);
  SendRaw(port, "", false);
  Recorder recorder;
  const auto clients = Connect(*server, recorder);
  const Record record{false, 1, 2, "still here"};
  clients[0]->Call(MakeCallId(0, 1), record);
  ASSERT_TRUE(recorder.WaitFor(1));
  EXPECT_EQ(recorder.Count(Outcome::kOk), 1u);
}

TEST_P(Conformance, HonoursItsNativeTimer) {
  if (!framework_.traits.native_timer) {
    SUCCEED() << "has no timer of its own";
    return;
  }
  ServerOptions options;
  options.delay = 20ms;
  options.delay_source = DelaySource::kNative;
  const auto server = Start(options);
  Recorder recorder;
  const auto clients = Connect(*server, recorder);
  const Record record{false, 1, 2, "x"};
  for (std::uint32_t i = 0; i < 10; ++i) clients[0]->Call(MakeCallId(i, 1), record);
  ASSERT_TRUE(recorder.WaitFor(10));
  EXPECT_EQ(recorder.Count(Outcome::kOk), 10u);
  EXPECT_EQ(meter_.Report().calls, 10u);
  EXPECT_GE(meter_.Report().least, 20ms);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const Framework& framework : AllFrameworks()) names.push_back(framework.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(Names()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace rpcbench
