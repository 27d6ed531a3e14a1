// The open loop against a scripted client, and the freezes that a load test must not hide.
#include "load/open_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>

#include "echo/error.h"
#include "load/schedule.h"
#include "load/scripted_client.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Answer = ScriptedClient::Answer;

constexpr auto kFreeze = 400ms;
constexpr int kFrozenCall = 200;

// Stands still in Call once, as a client whose queue is full or whose process was stopped.
class StallingClient final : public EchoClient {
 public:
  explicit StallingClient(std::unique_ptr<EchoClient> client) : client_(std::move(client)) {}
  void Call(CallId id, const Record& record) override {
    if (calls_++ == kFrozenCall) std::this_thread::sleep_for(kFreeze);
    client_->Call(id, record);
  }

 private:
  std::unique_ptr<EchoClient> client_;
  int calls_ = 0;
};

class OpenLoopTest : public testing::Test {
 protected:
  EchoClients Clients(int count, const ScriptedClient::Script& script) {
    EchoClients clients;
    for (int i = 0; i < count; ++i) {
      clients.push_back(std::make_unique<ScriptedClient>(loop_, script));
    }
    return clients;
  }
  static ScriptedClient::Script Echo() {
    return [](int) { return Answer::kEcho; };
  }
  // 1,000 calls a second for a second, after 100 ms.
  static OpenLoop::Plan Plan() {
    return {.schedule = MakeSchedule(Arrival::kEven, 1000, 1100ms, 1),
            .begin = 100ms,
            .end = 1100ms,
            .patience = 20s};
  }
  void Run(EchoClients& clients, const OpenLoop::Plan& plan) {
    loop_.Run(clients, plan, [this] { ++ends_; });
  }
  static double Above(const LatencySet& latencies, std::chrono::nanoseconds limit) {
    return static_cast<double>(latencies.count()) * (1 - latencies.ShareBelow(limit));
  }

  const Dataset dataset_{DatasetOptions{.records = 64}};
  OpenLoop loop_{dataset_, NanRule::kSameBits, 4096, 3};
  int ends_ = 0;
};

TEST_F(OpenLoopTest, EveryCallOfTheWindowIsCountedOnce) {
  auto clients = Clients(3, Echo());
  for (int run = 0; run < 2; ++run) {
    Run(clients, Plan());
    EXPECT_EQ(loop_.due_in_window(), 1000u);
    EXPECT_EQ(loop_.tally().counts().ok, 1000u);
    EXPECT_EQ(loop_.tally().counts().errors(), 0u);
    EXPECT_EQ(loop_.SinceSend().count(), 1000u);
    EXPECT_EQ(loop_.lateness().count(), 1000u);
    EXPECT_FALSE(loop_.tally().overflowed());
    EXPECT_LE(loop_.ended_in_window(), 1100u);
    EXPECT_GT(loop_.ended_in_window(), 0u);
    EXPECT_EQ(ends_, run + 1);
  }
}

TEST_F(OpenLoopTest, ALatencyIsNeverLessThanSinceTheSend) {
  auto clients = Clients(3, Echo());
  Run(clients, Plan());
  const LatencySet due = loop_.tally().Latencies();
  const LatencySet sent = loop_.SinceSend();
  for (const double fraction : {0.01, 0.5, 0.9, 0.99, 1.0}) {
    EXPECT_GE(due.Percentile(fraction), sent.Percentile(fraction)) << fraction;
  }
}

TEST_F(OpenLoopTest, FailuresAreCountedApart) {
  OpenLoop loop(dataset_, NanRule::kSameBits, 4096, 1);
  EchoClients one;
  one.push_back(std::make_unique<ScriptedClient>(loop, [](int call) {
    return call == 500 ? Answer::kFail : call == 501 ? Answer::kWrong : Answer::kTwice;
  }));
  loop.Run(one, Plan(), [] {});
  EXPECT_EQ(loop.tally().counts().ok, 998u);
  EXPECT_EQ(loop.tally().counts().failed, 1u);
  EXPECT_EQ(loop.tally().counts().mismatched, 1u);
  EXPECT_GT(loop.tally().counts().doubled, 0u);
}

// A server that stands still for S at a rate R: about R x S / 2 calls take more than S / 2, and one
// takes S. A closed loop would have seen one slow call.
TEST_F(OpenLoopTest, AFrozenServerIsSeenByAllCallsThatWereDueMeanwhile) {
  auto clients = Clients(3, [](int call) {
    if (call == kFrozenCall / 3) std::this_thread::sleep_for(kFreeze);
    return Answer::kEcho;
  });
  Run(clients, Plan());
  const LatencySet latencies = loop_.tally().Latencies();
  EXPECT_GE(latencies.Max(), kFreeze * 0.95);
  EXPECT_GE(Above(latencies, kFreeze / 2), 1000 * 0.4 / 2 * 0.9);
}

// The load itself stood still: what was due meanwhile is late by that, though each call was
// answered at once when it was sent. That is what a clock from the send would hide.
TEST_F(OpenLoopTest, AFrozenLoadIsSeenByTheClockFromTheScheduleAlone) {
  OpenLoop loop(dataset_, NanRule::kSameBits, 4096, 1);
  EchoClients clients;
  clients.push_back(
      std::make_unique<StallingClient>(std::make_unique<ScriptedClient>(loop, Echo())));
  loop.Run(clients, Plan(), [] {});
  const LatencySet due = loop.tally().Latencies();
  EXPECT_GE(due.Max(), kFreeze * 0.95);
  EXPECT_GE(Above(due, kFreeze / 2), 1000 * 0.4 / 2 * 0.9);
  EXPECT_GE(loop.lateness().Max(), kFreeze * 0.95);
  EXPECT_LT(Above(loop.SinceSend(), kFreeze / 2), 20);  // the one that stood, and a busy machine's
}

TEST_F(OpenLoopTest, ACallWithoutASlotWaitsAndItsTimeCounts) {
  OpenLoop loop(dataset_, NanRule::kSameBits, 2, 1);
  EchoClients clients;
  clients.push_back(std::make_unique<ScriptedClient>(loop, [](int call) {
    if (call == kFrozenCall) std::this_thread::sleep_for(kFreeze);
    return Answer::kEcho;
  }));
  loop.Run(clients, Plan(), [] {});
  EXPECT_EQ(loop.tally().counts().ok, 1000u);
  EXPECT_GE(Above(loop.tally().Latencies(), kFreeze / 2), 1000 * 0.4 / 2 * 0.9);
  EXPECT_LT(Above(loop.SinceSend(), kFreeze / 2), 20);
}

TEST_F(OpenLoopTest, MissingRepliesAreAnError) {
  auto clients = Clients(3, [](int call) { return call == 100 ? Answer::kNone : Answer::kEcho; });
  OpenLoop::Plan plan = Plan();
  plan.patience = 200ms;
  EXPECT_THAT([&] { Run(clients, plan); },
              ThrowsMessage<Error>(HasSubstr("3 of 1100 calls had no reply")));
}

TEST_F(OpenLoopTest, SlotsThatAllWaitAreAnError) {
  OpenLoop loop(dataset_, NanRule::kSameBits, 5, 1);
  EchoClients clients;
  clients.push_back(std::make_unique<ScriptedClient>(loop, [](int) { return Answer::kNone; }));
  OpenLoop::Plan plan = Plan();
  plan.patience = 100ms;
  EXPECT_THAT([&] { loop.Run(clients, plan, [] {}); },
              ThrowsMessage<Error>(HasSubstr("all 5 calls that may be in flight")));
}

}  // namespace
}  // namespace rpcbench
