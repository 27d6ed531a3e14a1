#include "fanout/board/producers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>
#include <vector>

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::Ge;
using testing::SizeIs;

// Producers whose clock the test turns, and who are told nothing until the test says so.
class ProducersTest : public testing::Test {
 protected:
  void Begin(const ProducerOptions& options) {
    producers_ =
        std::make_unique<Producers>(options, [this](const Command& command, Settle settle) {
          cards_.push_back(command.card);
          waiting_.push_back(std::move(settle));
        });
    producers_->Begin(start_);
  }

  // What is due this long after the start is submitted.
  Producers::Clock::duration SubmitAt(std::chrono::nanoseconds after) {
    return producers_->SubmitDue(start_ + after) - start_;
  }

  void SettleAll(const Status& status) {
    for (const Settle& settle : waiting_) settle(status);
    waiting_.clear();
  }

  // An hour ago: whatever is settled now took that long.
  const Producers::Clock::time_point start_ = Producers::Clock::now() - 1h;
  std::vector<int> cards_;
  std::vector<Settle> waiting_;
  std::unique_ptr<Producers> producers_;
};

TEST_F(ProducersTest, SendOnAnEvenSchedule) {
  Begin({});
  EXPECT_EQ(SubmitAt(0ms), 1250us);
  EXPECT_THAT(cards_, SizeIs(1));
  EXPECT_EQ(SubmitAt(1249us), 1250us);
  EXPECT_THAT(cards_, SizeIs(1));
  SubmitAt(1250us);
  EXPECT_THAT(cards_, SizeIs(2));
  SubmitAt(1s - 1ns);
  EXPECT_THAT(cards_, SizeIs(800));
}

TEST_F(ProducersTest, LateOnesAreAllSentAndNoneTwice) {
  Begin({});
  SubmitAt(10s);
  EXPECT_THAT(cards_, SizeIs(8001));
  SubmitAt(10s);
  EXPECT_THAT(cards_, SizeIs(8001));
}

TEST_F(ProducersTest, EachHasItsPhaseAndItsPace) {
  const ProducerSchedule schedule(200, 800);
  std::set<std::int64_t> phases;
  for (std::uint64_t command = 0; command < 200; ++command) {
    EXPECT_EQ(schedule.ProducerOf(command), schedule.ProducerOf(command + 200));
    EXPECT_EQ(schedule.DueAfter(command + 200) - schedule.DueAfter(command), 250ms);
    phases.insert(schedule.DueAfter(command).count());
  }
  EXPECT_THAT(phases, SizeIs(200));
  EXPECT_EQ(schedule.DueAfter(800 * 86'400), 24h) << "the schedule drifts";
}

TEST_F(ProducersTest, CardsAreDrawnFromTheSeed) {
  Begin({.seed = 5});
  SubmitAt(10s);
  const std::vector<int> first = cards_;
  EXPECT_EQ(std::set<int>(first.begin(), first.end()).size(), 200u) << "some are never drawn";
  cards_.clear();
  Begin({.producers = 7, .seed = 5});
  SubmitAt(10s);
  EXPECT_EQ(cards_, first);
  cards_.clear();
  Begin({.seed = 6});
  SubmitAt(10s);
  EXPECT_NE(cards_, first);
}

TEST_F(ProducersTest, TimesCountFromWhenTheyWereDue) {
  Begin({});
  producers_->BeginWindow(start_, 100);
  SubmitAt(10ms);
  SettleAll({});
  EXPECT_THAT(producers_->due_to_commit().samples(), SizeIs(9));
  const std::int64_t least = std::chrono::nanoseconds(59min).count();
  EXPECT_THAT(producers_->due_to_commit().samples(), Each(Ge(least)));
}

TEST_F(ProducersTest, OnlyWhatIsDueInTheWindowIsTimed) {
  Begin({});
  producers_->BeginWindow(start_ + 5ms, 100);
  producers_->EndWindow(start_ + 10ms);
  SubmitAt(20ms);
  SettleAll({});
  EXPECT_THAT(producers_->due_to_commit().samples(), SizeIs(4));  // 5, 6.25, 7.5 and 8.75 ms
  EXPECT_EQ(producers_->counts().committed, 17u);
}

TEST_F(ProducersTest, FailuresAreCountedAndTheFirstIsKept) {
  Begin({});
  producers_->BeginWindow(start_, 100);
  SubmitAt(0ms);
  SettleAll({StatusCode::kDiskFull, "full"});
  SubmitAt(2500us);
  EXPECT_EQ(producers_->counts().pending(), 2u);
  SettleAll({StatusCode::kLocked, "locked"});
  EXPECT_EQ(producers_->counts().submitted, 3u);
  EXPECT_EQ(producers_->counts().failed, 3u);
  EXPECT_EQ(producers_->counts().committed, 0u);
  EXPECT_EQ(producers_->counts().pending(), 0u);
  EXPECT_EQ(producers_->counts().first_failure, "full");
  EXPECT_THAT(producers_->due_to_commit().samples(), SizeIs(0));
}

TEST_F(ProducersTest, AThreadSendsUntilItIsStopped) {
  std::promise<void> enough;
  int submitted = 0;
  Producers producers({.rate = 10'000}, [&](const Command&, const Settle& settle) {
    settle({});
    if (++submitted == 20) enough.set_value();
  });
  producers.Start();
  enough.get_future().wait();
  producers.Stop();
  const auto sent = producers.counts().submitted;
  EXPECT_GE(sent, 20u);
  EXPECT_EQ(producers.counts().committed, sent);
}

}  // namespace
}  // namespace rpcbench
