// A whole load against a scripted server: connecting, counting, cuts, reconnects.
#include "fanout/load/load_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "echo/error.h"
#include "fanout/load/fake_sse_server.h"
#include "fanout/load/scripted_cohort.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

class LoadLoopTest : public testing::Test {
 protected:
  void Start(std::size_t streams, std::size_t rate = 0) {
    StreamLoadOptions options;
    options.connect = server_.address();
    options.path = "/events?x=1";
    options.streams = streams;
    options.connect_rate = rate;
    loop_ = std::make_unique<LoadLoop>(options);
  }

  // Lets both sides run until `done`; fails after 20 s.
  void Await(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!done()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << loop_->last_problem();
      loop_->Poll(1ms);
      server_.Step();
    }
  }
  void AwaitRequests(std::size_t count) {
    Await([&] { return server_.requests() == count; });
  }
  void AwaitEvents(std::uint64_t count) {
    Await([&] { return loop_->Report().events >= count; });
  }

  // All requests so far are answered, and see event 1.
  void OpenAll(std::size_t streams) {
    Start(streams);
    AwaitRequests(streams);
    server_.SendAll(StreamHead("zstd") + ChunkOf(cohort_.Publish(1)));
    Await([&] { return loop_->open() == streams; });
  }
  void Publish(int id) { server_.SendAll(ChunkOf(cohort_.Publish(id))); }

  FakeSseServer server_;
  ScriptedCohort cohort_{Codec::kZstd};
  std::unique_ptr<LoadLoop> loop_;
};

TEST_F(LoadLoopTest, StreamsAskAsBrowsersDo) {
  Start(1);
  AwaitRequests(1);
  EXPECT_THAT(server_.request(0), HasSubstr("GET /events?x=1 HTTP/1.1\r\n"));
  EXPECT_THAT(server_.request(0), HasSubstr("Accept: text/event-stream\r\n"));
  EXPECT_THAT(server_.request(0), HasSubstr("Accept-Encoding: zstd\r\n"));
  EXPECT_THAT(server_.request(0), Not(HasSubstr("Last-Event-ID")));
}

TEST_F(LoadLoopTest, CountsWhatAllStreamsSee) {
  OpenAll(50);
  loop_->Mark();
  for (int id = 2; id <= 5; ++id) Publish(id);
  AwaitEvents(200);
  const StreamLoadReport report = loop_->Report();
  EXPECT_EQ(report.events, 200u);
  EXPECT_EQ(report.events_least, 4u);
  EXPECT_EQ(report.events_most, 4u);
  EXPECT_EQ(report.open, 50u);
  EXPECT_EQ(report.decoded_streams + report.compared_streams, 50u);
  EXPECT_GE(report.decoded_streams, 20u);
  EXPECT_EQ(report.sequences, 1u);
  EXPECT_EQ(report.mismatches, 0u);
  ASSERT_EQ(report.state.size(), 1u);
  EXPECT_EQ(report.state[0].id, "5");
  EXPECT_EQ(report.state[0].streams, 50u);
  EXPECT_GT(report.bytes, 0u);
}

TEST_F(LoadLoopTest, AStreamIsOpenWithItsFirstEvent) {
  Start(2);
  AwaitRequests(2);
  server_.SendAll(StreamHead("zstd"));
  server_.Send(0, ChunkOf(cohort_.Publish(1)));
  Await([&] { return loop_->open() == 1; });
  EXPECT_EQ(loop_->Behind(SeenId("1")), 1u);
}

TEST_F(LoadLoopTest, AWrongByteOnTheWireIsAMismatch) {
  OpenAll(3);
  const std::string chunk = cohort_.Publish(2);
  std::string wrong = chunk;
  wrong.back() = static_cast<char>(wrong.back() ^ 0xff);
  server_.Send(0, ChunkOf(chunk));
  server_.Send(1, ChunkOf(wrong));
  server_.Send(2, ChunkOf(chunk));
  AwaitEvents(5);
  Await([&] {
    const StreamLoadReport report = loop_->Report();
    return report.mismatches + report.branches > 0;
  });
}

TEST_F(LoadLoopTest, StreamsThatTheServerCutsComeBackWithTheirLastId) {
  OpenAll(5);
  loop_->Mark();
  EXPECT_EQ(loop_->NotReconnected(), 5u);
  server_.CloseAll();
  AwaitRequests(10);
  for (std::size_t i = 5; i < 10; ++i) {
    EXPECT_THAT(server_.request(i), HasSubstr("Last-Event-ID: 1\r\n"));
  }
  EXPECT_EQ(loop_->open(), 0u);
  ScriptedCohort next(Codec::kZstd);
  server_.SendAll(StreamHead("zstd") + ChunkOf(next.Publish(2)));
  Await([&] { return loop_->NotReconnected() == 0; });
  const StreamLoadReport report = loop_->Report();
  EXPECT_EQ(report.closed, 5u);
  EXPECT_EQ(report.reconnects, 5u);
  EXPECT_EQ(report.disorder, 0u);
  EXPECT_EQ(report.state[0].id, "2");
}

TEST_F(LoadLoopTest, ACutFromThisSideIsNotCountedAsALoss) {
  OpenAll(5);
  loop_->Mark();
  loop_->CutAll();
  EXPECT_EQ(loop_->open(), 0u);
  AwaitRequests(10);
  server_.CloseAll();  // the old ones; and the new ones go on from what was sent
  Await([&] { return server_.requests() == 15; });
  EXPECT_EQ(loop_->Report().closed, 0u) << "no answer had come";
}

TEST_F(LoadLoopTest, WrongAnswersAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "status 503"},
      {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", "text/html"},
      {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", "zstd was asked for"},
      {"nonsense\r\n\r\n", "begins no HTTP"},
  };
  for (const auto& [answer, said] : cases) {
    FakeSseServer server;
    StreamLoadOptions options;
    options.connect = server.address();
    options.streams = 1;
    LoadLoop loop(options);
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    bool answered = false;
    while (loop.last_problem().empty() && std::chrono::steady_clock::now() < deadline) {
      loop.Poll(1ms);
      server.Step();
      if (server.requests() == 1 && !answered) server.SendAll(answer);
      answered = server.requests() > 0;
    }
    EXPECT_THAT(loop.last_problem(), HasSubstr(said));
  }
}

TEST_F(LoadLoopTest, ConnectsAtThePaceThatIsAsked) {
  Start(10, 1000);
  AwaitRequests(10);
  EXPECT_EQ(server_.requests(), 10u);
}

TEST_F(LoadLoopTest, NonsenseIsRefused) {
  StreamLoadOptions options;
  options.connect = {"localhost", 80};
  EXPECT_THAT([&] { LoadLoop loop(options); }, ThrowsMessage<Error>(HasSubstr("IPv4")));
  options.connect = server_.address();
  options.accept_encoding = "deflate";
  EXPECT_THAT([&] { LoadLoop loop(options); }, ThrowsMessage<Error>(HasSubstr("deflate")));
  options.accept_encoding = "br";
  options.streams = 100'000'000;
  EXPECT_THAT([&] { LoadLoop loop(options); }, ThrowsMessage<Error>(HasSubstr("ulimit")));
}

}  // namespace
}  // namespace rpcbench
