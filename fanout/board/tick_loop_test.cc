#include "fanout/board/tick_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "fanout/sse/parser.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;

// Ticks that the test makes, with one stream that takes what is published.
class TickLoopTest : public testing::Test, private EventSink {
 protected:
  void Commit(std::vector<int> cards) {
    std::vector<Command> commands;
    for (const int card : cards) commands.push_back({card});
    committed_.Add(commands);
  }

  // Runs the loop until so many ticks have shown something.
  void RunUntil(std::uint64_t ticks) {
    while (ticks_.counts().ticks < ticks) loop_.run_one_for(10s);
  }

  void Kick() {
    ++kicks_;
    while (const ChunkRef chunk = stream_->Next()) {
      parser_.Feed(chunk->body());
      stream_->Sent();
    }
  }

  boost::asio::io_context loop_{1};
  Board board_{1, 3};
  Committed committed_;
  Topic topic_{TopicOptions{}};
  std::unique_ptr<Source> stream_ = topic_.Join(Codec::kIdentity, true);
  TickLoop ticks_{loop_, board_, committed_, topic_, {.tick = 1ms}, [this] { Kick(); }};
  int kicks_ = 0;
  std::vector<std::string> ids_;
  std::string shown_;  // the data of the last event

 private:
  void OnEvent(const ReceivedEvent& event) override {
    EXPECT_EQ(event.name, kBoardEvent);
    ids_.emplace_back(event.id);
    shown_ = event.data;
  }
  void OnRetry(std::chrono::milliseconds) override {}

  EventParser parser_{*this};
};

TEST_F(TickLoopTest, ACleanTickIsSkipped) {
  EXPECT_FALSE(ticks_.Tick());
  EXPECT_FALSE(ticks_.Tick());
  EXPECT_EQ(ticks_.counts().ticks, 0u);
  EXPECT_EQ(ticks_.counts().clean, 2u);
  EXPECT_EQ(ticks_.counts().renders, 0u);
  EXPECT_EQ(kicks_, 0);
  EXPECT_THAT(ids_, ElementsAre());
}

TEST_F(TickLoopTest, RendersOnceForAllThatWasCommitted) {
  Commit({0, 2, 2});
  Commit({2});
  EXPECT_TRUE(ticks_.Tick());
  EXPECT_FALSE(ticks_.Tick());
  EXPECT_EQ(ticks_.counts().renders, 1u);
  EXPECT_EQ(ticks_.counts().commands, 4u);
  EXPECT_EQ(kicks_, 1);
  EXPECT_EQ(board_.count(2), 3);
  std::string html;
  board_.Render(html);
  EXPECT_EQ(shown_, html);
  EXPECT_THAT(html, AllOf(HasSubstr("\"count\">1<"), HasSubstr("\"count\">3<")));
}

TEST_F(TickLoopTest, VersionsGoUpByOne) {
  for (int i = 0; i < 3; ++i) {
    Commit({0});
    ticks_.Tick();
  }
  EXPECT_THAT(ids_, ElementsAre("1", "2", "3"));
  EXPECT_EQ(ticks_.version(), 3u);
  EXPECT_THAT(std::string(ticks_.event()), HasSubstr("id: 3\n"));
}

TEST_F(TickLoopTest, TheFirstEventIsThereBeforeTheFirstCommand) {
  ticks_.Start();
  EXPECT_THAT(ids_, ElementsAre("1"));
  EXPECT_EQ(ticks_.counts().ticks, 0u) << "it is no tick";
  EXPECT_EQ(ticks_.counts().renders, 0u);
  ticks_.Stop();
}

TEST_F(TickLoopTest, TicksOnItsOwn) {
  ticks_.LogTicks(100);
  ticks_.Start();
  Commit({1});
  RunUntil(1);
  Commit({1});
  RunUntil(2);
  EXPECT_THAT(ids_, ElementsAre("1", "2", "3"));
  EXPECT_EQ(ticks_.durations().samples().size(), 2u);
  EXPECT_THAT(ticks_.counts().render_cpu, Gt(0ns));
  EXPECT_THAT(ticks_.counts().publish_cpu, Gt(0ns));
  ticks_.Stop();
}

TEST_F(TickLoopTest, ALookBetweenTicksSeesWhatWasAndComesOnce) {
  ticks_.Start();
  std::vector<std::uint64_t> seen;
  Commit({1});
  ticks_.BeforeNextTick(
      [&](TickLoop::Clock::time_point) { seen.push_back(ticks_.counts().ticks); });
  RunUntil(1);
  Commit({1});
  RunUntil(2);
  EXPECT_THAT(seen, ElementsAre(0u));
  ticks_.Stop();
}

TEST_F(TickLoopTest, StopsWhenItIsTold) {
  ticks_.Start();
  Commit({1});
  ticks_.Stop();
  loop_.run();  // nothing is left to wait for
  EXPECT_EQ(ticks_.counts().ticks, 0u);
}

}  // namespace
}  // namespace rpcbench
