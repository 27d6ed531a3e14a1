#include "server/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "echo/error.h"
#include "frameworks/all.h"
#include "process/child.h"
#include "process/duration_flag.h"
#include "server/control.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Ignore final : public ReplySink {
 public:
  void OnReply(CallId, Outcome outcome, const RecordView&) override {
    if (outcome == Outcome::kOk) ++ok;
  }
  std::atomic<int> ok{0};
};

class TargetTest : public testing::Test {
 protected:
  TargetTest() { options_.server_binary = RPCBENCH_SERVER_BINARY; }

  std::unique_ptr<Target> Start() {
    return StartProcess(FindFramework(all_, "asio_tcp_raw"), options_);
  }

  // One call to `target`, waited for.
  void CallOnce(const Target& target) {
    Ignore sink;
    const Record record{false, 1, 2, "x"};
    const auto clients = FindFramework(all_, "asio_tcp_raw").connect(target.address(), {}, sink);
    clients[0]->Call(MakeCallId(0, 0), record);
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (sink.ok == 0 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    EXPECT_EQ(sink.ok, 1);
  }

  std::vector<Framework> all_ = AllFrameworks();
  TargetOptions options_;
};

TEST_F(TargetTest, AProcessServesAndReports) {
  const auto target = Start();
  target->Mark(Count::kNothing);
  CallOnce(*target);
  const auto report = target->Report();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->held.calls, 1u);
  EXPECT_GE(report->held.least, 30ms);
  EXPECT_EQ(report->held.peak_in_flight, 1);
  ASSERT_TRUE(report->usage);
  EXPECT_GT(report->usage->rss_kb, 0);
  EXPECT_GE(report->elapsed, 30ms);
  EXPECT_FALSE(report->allocations);
  EXPECT_NO_THROW(target->CheckAlive());
}

TEST_F(TargetTest, TheProcessIsGoneWithItsTarget) {
  auto target = Start();
  target.reset();
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child was left behind";
}

TEST_F(TargetTest, ItRunsWhereItWasPinned) {
  options_.cpus = {AllowedCpus().back()};
  EXPECT_NO_THROW(Start());
}

TEST_F(TargetTest, AServerThatFreezesIsAnErrorAndIsKilled) {
  Child child("/bin/sh", {"-c", "trap '' TERM; while :; do sleep 1; done"});
  EXPECT_THAT([&] { child.ReadLine(50ms); }, ThrowsMessage<Error>(HasSubstr("did not answer")));
  EXPECT_NO_THROW(child.CheckAlive());
}

TEST_F(TargetTest, AServerThatDiesSaysHow) {
  Child killed("/bin/sh", {"-c", "kill -9 $$"});
  EXPECT_THAT([&] { killed.ReadLine(20s); }, ThrowsMessage<Error>(HasSubstr("killed by signal 9")));
  Child ended("/bin/sh", {"-c", "exit 3"});
  EXPECT_THAT([&] { ended.ReadLine(20s); }, ThrowsMessage<Error>(HasSubstr("ended with status 3")));
}

TEST_F(TargetTest, AMissingBinaryIsAnError) {
  options_.server_binary = "/nonexistent/echo_server";
  EXPECT_THAT([&] { Start(); }, ThrowsMessage<Error>(HasSubstr("/nonexistent/echo_server")));
}

TEST_F(TargetTest, AServerThatSpeaksNonsenseIsAnError) {
  EXPECT_THAT([] { ParseHello("hello"); }, ThrowsMessage<Error>(HasSubstr("hello")));
  EXPECT_THAT([] { ParseHello(R"({"rpcbench":2})"); },
              ThrowsMessage<Error>(HasSubstr("another exchange")));
  EXPECT_THAT([] { ParseHello(R"({"rpcbench":1})"); },
              ThrowsMessage<Error>(HasSubstr("framework")));
}

TEST_F(TargetTest, InProcessHasNoUsageOfItsOwn) {
  const auto target = StartInProcess(FindFramework(all_, "direct"), options_);
  target->Mark(Count::kAllocations);
  const auto report = target->Report();
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->usage);
  EXPECT_FALSE(report->allocations);
}

TEST_F(TargetTest, ControlAnswersEachLine) {
  ServerMeter server(FindFramework(all_, "direct"), {}, false);
  std::istringstream in("mark\nwhat\n\nreport\n");
  std::ostringstream out;
  ServeControl(server, in, out);
  std::istringstream lines(out.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, R"({"marked":true})");
  for (int i = 0; i < 2; ++i) {
    std::getline(lines, line);
    EXPECT_THAT(line, HasSubstr("unknown command"));
  }
  std::getline(lines, line);
  const ServerReport report = ServerReportFrom(nlohmann::json::parse(line));
  EXPECT_EQ(report.held.calls, 0u);
}

TEST(FlagsTest, Durations) {
  EXPECT_EQ(ParseDuration("30ms"), 30ms);
  EXPECT_EQ(ParseDuration("1.5s"), 1500ms);
  EXPECT_EQ(ParseDuration("250us"), 250us);
  EXPECT_EQ(ParseDuration("0"), 0ns);
  for (const char* bad : {"", "30", "-1ms", "ms", "1h", "nans", "1e300s", "30 ms"}) {
    EXPECT_THROW(ParseDuration(bad), Error) << bad;
  }
}

TEST(FlagsTest, Addresses) {
  EXPECT_EQ(ParseAddress("10.0.0.1:80").host, "10.0.0.1");
  EXPECT_EQ(ParseAddress("::1:80").port, 80);
  for (const char* bad : {"", "host", "host:", ":80", "host:65536", "host:-1", "host:8x"}) {
    EXPECT_THROW(ParseAddress(bad), Error) << bad;
  }
}

}  // namespace
}  // namespace rpcbench
