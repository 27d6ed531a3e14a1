#include "fanout/board/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

LatencySet Times(std::vector<std::chrono::nanoseconds> times) {
  LatencyLog log;
  log.Reset(times.size());
  for (const auto time : times) log.Add(time);
  LatencySet set;
  set.Merge(log);
  set.Sort();
  return set;
}

// A good run, two seconds long, of which each test spoils one thing.
class FiguresTest : public testing::Test {
 protected:
  FiguresTest() {
    WindowEdge& begin = figures_.begin;
    begin.at = std::chrono::steady_clock::time_point(10s);
    begin.watchers.events = 100;
    WindowEdge& end = figures_.end;
    end.at = begin.at + 2s;
    end.usage.user = 300ms;
    end.usage.system = 100ms;
    end.topic.ledger = {.offered = 400, .delivered = 400};
    end.topic.encode_cpu = 100ms;
    end.topic.canary_cpu = 20ms;
    end.topic.encoder_heap = 3000;
    end.topic.cohorts = 2;
    end.ticks = {.ticks = 40, .renders = 40, .render_cpu = 40ms, .publish_cpu = 150ms};
    end.writer = {.committed = 1600, .transactions = 800, .commit_cpu = 60ms};
    end.watchers.bytes = 40'000;
    end.watchers.events = 500;
    figures_.ticks = Times({1ms, 2ms, 3ms, 9ms});
    figures_.due_to_commit = Times({100us, 200us, 300us});
    figures_.producers = {.submitted = 2000, .committed = 2000, .failed = 0, .first_failure = ""};
    figures_.stored_commands = 2000;
    figures_.board_is_stored = true;
    figures_.last.ledger = {.offered = 500, .delivered = 490, .evicted = 5};
    figures_.last.pending = 5;
  }

  std::vector<std::string> Problems() { return Violations(case_, options_, figures_); }

  BoardCase case_{.streams = 10};
  BoardOptions options_;
  BoardFigures figures_;
};

TEST_F(FiguresTest, AGoodRunIsValid) {
  EXPECT_THAT(Problems(), IsEmpty());
}

TEST_F(FiguresTest, CountersAreThoseOfTheWindow) {
  Counters counters = CountersOf(case_, figures_);
  const auto near = [](double value) { return DoubleNear(value, 1e-9); };
  EXPECT_THAT(counters["cores"], near(0.2));
  EXPECT_THAT(counters["encode_cores"], near(0.05));
  EXPECT_THAT(counters["cpu_render"], near(0.1));
  EXPECT_THAT(counters["cpu_encode"], near(0.25));
  EXPECT_THAT(counters["cpu_canary"], near(0.05));
  EXPECT_THAT(counters["cpu_write"], near(0.075)) << "the kick without encoders and canaries";
  EXPECT_THAT(counters["cpu_commit"], near(0.15));
  EXPECT_THAT(counters["ticks_s"], near(20));
  EXPECT_THAT(counters["tick_p50_ms"], near(2));
  EXPECT_THAT(counters["tick_max_ms"], near(9));
  EXPECT_THAT(counters["renders_tick"], near(1));
  EXPECT_THAT(counters["frames_s"], near(200));
  EXPECT_THAT(counters["bytes_frame"], near(100));
  EXPECT_THAT(counters["heap_stream"], near(300));
  EXPECT_THAT(counters["cohorts"], near(2));
  EXPECT_THAT(counters["commands_s"], near(800));
  EXPECT_THAT(counters["commands_tx"], near(2));
  EXPECT_THAT(counters["due_commit_p50_ms"], near(0.2));
  EXPECT_EQ(counters.count("server_us_frame"), 0u) << "a sink has no server";
}

TEST_F(FiguresTest, AWireHasTwoSides) {
  case_.wire = true;
  figures_.end.watchers.has_write_cpu = true;
  figures_.end.watchers.write_cpu = 80ms;
  StreamLoadReport load;
  load.elapsed = 2s;
  load.user = 500ms;
  figures_.load = load;
  Counters counters = CountersOf(case_, figures_);
  EXPECT_DOUBLE_EQ(counters["server_us_frame"], 1000);
  EXPECT_DOUBLE_EQ(counters["client_cores"], 0.25);
  EXPECT_DOUBLE_EQ(counters["cpu_write"], 0.2);
}

TEST_F(FiguresTest, EachTickRendersOnce) {
  figures_.end.ticks.renders = 41;
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("41 renders for 40 ticks")));
}

TEST_F(FiguresTest, ATickMayNotOutlastItsTime) {
  figures_.ticks = Times({1ms, 51ms});
  EXPECT_THAT(Problems(), ElementsAre(EndsWith("a tick took 51.0 ms, more than 50")));
  figures_.end.machine.stolen = std::chrono::seconds(2);
  EXPECT_THAT(Problems(), ElementsAre(EndsWith("of a core meanwhile")));
}

TEST_F(FiguresTest, LostFramesAreToldAndTheRestStillAddsUp) {
  figures_.end.topic.ledger = {.offered = 400, .delivered = 397, .coalesced = 2, .dropped = 1};
  figures_.end.watchers.events = 497;
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("1 dropped, 2 coalesced, 0 evicted")));
}

TEST_F(FiguresTest, EveryStreamHasEveryTick) {
  figures_.end.topic.ledger.delivered = 399;
  figures_.end.watchers.events = 499;
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("399 frames were delivered, not 400")));
  figures_.end.topic.pending = 1;
  EXPECT_THAT(Problems(), IsEmpty()) << "one is still on its way";
}

TEST_F(FiguresTest, ASinkCountsForItself) {
  figures_.end.watchers.events = 499;
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("took 399 frames")));
}

TEST_F(FiguresTest, TheLedgerBalances) {
  figures_.last.pending = 4;
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("the ledger does not balance")));
}

TEST_F(FiguresTest, NoCommandFails) {
  figures_.producers = {
      .submitted = 2003, .committed = 2000, .failed = 2, .first_failure = "disk full"};
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("2 of 2003 commands failed, the first: disk full"),
                                      HasSubstr("1 commands were never settled")));
}

TEST_F(FiguresTest, WhatIsShownIsStored) {
  figures_.stored_commands = 1999;
  figures_.board_is_stored = false;
  figures_.check.problems = {"stream 3: broken"};
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("the database has 1999"),
                                      HasSubstr("fresh connection"), "stream 3: broken"));
}

TEST_F(FiguresTest, ARunWithoutTicksIsNone) {
  figures_.end.ticks = {};
  figures_.end.topic.ledger = {};
  figures_.end.watchers.events = 100;
  figures_.ticks = {};
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("no tick")));
}

}  // namespace
}  // namespace rpcbench
