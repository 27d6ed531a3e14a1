// The load policies against a scripted client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "echo/error.h"
#include "load/burst.h"
#include "load/closed_loop.h"
#include "load/scripted_client.h"
#include "load/steady.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Answer = ScriptedClient::Answer;

class LoadTest : public testing::Test {
 protected:
  EchoClients Clients(ReplySink& sink, int count, ScriptedClient::Script script) {
    EchoClients clients;
    for (int i = 0; i < count; ++i)
      clients.push_back(std::make_unique<ScriptedClient>(sink, script));
    return clients;
  }

  static ScriptedClient::Script Always(Answer answer) {
    return [answer](int) { return answer; };
  }
  static ScriptedClient::Script Once(int number, Answer answer) {
    return [=](int call) { return call == number ? answer : Answer::kEcho; };
  }

  const Dataset dataset_{DatasetOptions{.records = 64}};
};

TEST_F(LoadTest, BurstCountsEveryCall) {
  Burst burst(dataset_, NanRule::kSameBits, 100, 3);
  auto clients = Clients(burst, 3, Always(Answer::kEcho));
  burst.Reset(100, 2);
  EXPECT_GT(burst.Run(clients, 100, 20s), 0ns);
  burst.Run(clients, 100, 20s);
  EXPECT_EQ(burst.tally().counts().ok, 200u);
  EXPECT_EQ(burst.tally().counts().errors(), 0u);
  EXPECT_EQ(burst.tally().calls(), 200);
  EXPECT_FALSE(burst.tally().overflowed());
  EXPECT_EQ(burst.tally().Latencies().count(), 200u);
}

TEST_F(LoadTest, BurstCountsFailuresApartAndKeepsThemOutOfThePercentiles) {
  Burst burst(dataset_, NanRule::kSameBits, 10, 1);
  auto clients = Clients(burst, 1, [](int call) {
    return call == 3 ? Answer::kFail : call == 4 ? Answer::kWrong : Answer::kEcho;
  });
  burst.Reset(10, 1);
  burst.Run(clients, 10, 20s);
  EXPECT_EQ(burst.tally().counts().ok, 8u);
  EXPECT_EQ(burst.tally().counts().failed, 1u);
  EXPECT_EQ(burst.tally().counts().mismatched, 1u);
  EXPECT_EQ(burst.tally().Latencies().count(), 8u);
}

TEST_F(LoadTest, ADoubledReplyAndAnInventedOneAreSeen) {
  for (const Answer answer : {Answer::kTwice, Answer::kAnotherId}) {
    Burst burst(dataset_, NanRule::kSameBits, 10, 1);
    auto clients = Clients(burst, 1, Once(2, answer));
    burst.Reset(10, 1);
    burst.Run(clients, 10, 20s);
    EXPECT_EQ(burst.tally().counts().ok, 10u);
    EXPECT_EQ(burst.tally().counts().doubled, 1u);
  }
}

TEST_F(LoadTest, ALostReplyIsAnErrorAndNoHang) {
  Burst burst(dataset_, NanRule::kSameBits, 10, 1);
  auto clients = Clients(burst, 1, Once(9, Answer::kNone));
  burst.Reset(10, 1);
  EXPECT_THAT([&] { burst.Run(clients, 10, 50ms); },
              ThrowsMessage<Error>(HasSubstr("1 of 10 calls had no reply")));
}

TEST_F(LoadTest, ClosedLoopKeepsTheNumberInFlight) {
  ClosedLoop loop(dataset_, NanRule::kSameBits, 8, 2);
  auto clients = Clients(loop, 2, Always(Answer::kEcho));
  loop.Start(clients, 20s);
  loop.WarmUp(1ms, 20s);
  bool ended = false;
  loop.Measure(50ms, 20s, [&] { ended = true; });
  EXPECT_TRUE(ended);
  for (const auto& client : clients) {
    EXPECT_LE(static_cast<ScriptedClient&>(*client).most_waiting(), 4u);
  }
  const LatencySet latencies = loop.tally().Latencies();
  EXPECT_GT(loop.tally().counts().ok, 8u);
  EXPECT_EQ(loop.tally().counts().errors(), 0u);
  EXPECT_EQ(latencies.count(), loop.tally().counts().ok);
  // Parts of calls at the edges: within a call in flight of what was sampled.
  EXPECT_NEAR(loop.tally().calls(), static_cast<double>(latencies.count()), 8);
  // A second window starts from nothing.
  loop.Measure(1ms, 20s, [] {});
  EXPECT_LT(loop.tally().counts().ok, latencies.count());
  loop.Stop();
}

TEST_F(LoadTest, ClosedLoopMakesAWrongReplyAnError) {
  for (const Answer answer : {Answer::kWrong, Answer::kFail}) {
    ClosedLoop loop(dataset_, NanRule::kSameBits, 2, 1);
    auto clients = Clients(loop, 1, Once(0, answer));
    loop.Start(clients, 20s);
    EXPECT_THAT([&] { loop.WarmUp(0ms, 20s); }, ThrowsMessage<Error>(HasSubstr("went wrong")));
    loop.Stop();
  }
}

TEST_F(LoadTest, ClosedLoopNeverLosesAnError) {
  ClosedLoop loop(dataset_, NanRule::kSameBits, 2, 1);
  std::atomic<bool> break_now{false};
  auto clients = Clients(
      loop, 1, [&](int) { return break_now.exchange(false) ? Answer::kWrong : Answer::kEcho; });
  loop.Start(clients, 20s);
  loop.WarmUp(0ms, 20s);
  std::thread breaker([&] { break_now = true; });
  try {
    loop.Measure(200ms, 20s, [] {});
    EXPECT_EQ(loop.tally().counts().mismatched, 1u);
  } catch (const Error& error) {  // it came just before the window
    EXPECT_THAT(error.what(), HasSubstr("between two windows"));
  }
  breaker.join();
  EXPECT_THAT([&] { loop.Measure(1ms, 20s, [] {}); },
              ThrowsMessage<Error>(HasSubstr("between two windows")));
  loop.Stop();
}

TEST_F(LoadTest, AServerThatFreezesEndsTheWindowWithAnError) {
  ClosedLoop loop(dataset_, NanRule::kSameBits, 2, 1);
  std::atomic<bool> frozen{false};
  auto clients = Clients(loop, 1, [&](int) { return frozen ? Answer::kNone : Answer::kEcho; });
  loop.Start(clients, 20s);
  loop.WarmUp(0ms, 20s);
  frozen = true;
  EXPECT_THAT([&] { loop.Measure(10ms, 50ms, [] {}); },
              ThrowsMessage<Error>(HasSubstr("had no reply")));
  loop.Stop();
}

TEST_F(LoadTest, ADeadServerFailsTheStart) {
  ClosedLoop loop(dataset_, NanRule::kSameBits, 2, 1);
  auto clients = Clients(loop, 1, Always(Answer::kNone));
  EXPECT_THAT([&] { loop.Start(clients, 50ms); },
              ThrowsMessage<Error>(HasSubstr("2 of the first 2 calls had no reply")));
  loop.Stop();
}

TEST_F(LoadTest, SteadySamplesOnlyTheFastOnes) {
  std::vector<Record> records(10);
  records[3].flag = true;
  const Dataset mixed = Dataset::Of(std::move(records));
  Steady steady(mixed, NanRule::kSameBits, 20, 1);
  auto clients = Clients(steady, 1, Always(Answer::kEcho));
  steady.Reset(20, 1);
  EXPECT_GE(steady.Run(clients, 20, 1ms, 20s), 19ms);
  EXPECT_EQ(steady.tally().calls(), 20);
  EXPECT_EQ(steady.tally().counts().ok, 18u);
}

TEST_F(LoadTest, SteadyCountsFromTheSchedule) {
  // The call blocks its sender for 20 ms at its first call: the later ones were due meanwhile.
  class Blocking final : public EchoClient {
   public:
    explicit Blocking(ReplySink& sink) : sink_(sink) {}
    void Call(CallId id, const Record& record) override {
      if (first_) std::this_thread::sleep_for(20ms);
      first_ = false;
      sink_.OnReply(id, Outcome::kOk, record);
    }

   private:
    ReplySink& sink_;
    bool first_ = true;
  };
  const Dataset fast = Dataset::Of(std::vector<Record>(10));
  Steady scheduled(fast, NanRule::kSameBits, 10, 1);
  EchoClients clients;
  clients.push_back(std::make_unique<Blocking>(scheduled));
  scheduled.Reset(10, 1);
  scheduled.Run(clients, 10, 1ms, 20s);
  const LatencySet latencies = scheduled.tally().Latencies();
  EXPECT_GE(latencies.Max(), 20ms);
  EXPECT_GE(latencies.Min(), 10ms)
      << "the last was due 9 ms after the first, and left 20 ms after it";
}

}  // namespace
}  // namespace rpcbench
