#include "fanout/board/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <map>
#include <memory>

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// A writer over a database that the test plays.
class WriterTest : public testing::Test {
 protected:
  void Start(const WriterOptions& options) {
    writer_ = std::make_unique<Writer>(
        [this](std::span<const Command> commands) { return Apply(commands); }, committed_, options);
  }

  // The first transaction takes until Release; the writer has begun it when this returns.
  void HoldFirst() {
    Submit(0);
    began_.get_future().wait();
  }
  void Release() { released_.set_value(); }

  void Submit(int card) {
    const int number = submitted_++;
    writer_->Submit({card}, [this, number](const Status& status) {
      const std::lock_guard lock(mutex_);
      settled_[number].push_back(status.code);
      order_.push_back(number);
      message_ = status.message;
    });
  }

  std::vector<int> TakeShown() {
    std::vector<Command> taken;
    committed_.Take(taken);
    std::vector<int> cards;
    for (const Command& command : taken) cards.push_back(command.card);
    return cards;
  }

  std::vector<StatusCode> OutcomesOf(int number) {
    const std::lock_guard lock(mutex_);
    return settled_[number];
  }

  std::vector<std::size_t> batches_;  // read it once the writer has stopped
  Status answer_;                     // of each transaction
  std::mutex mutex_;
  std::map<int, std::vector<StatusCode>> settled_;
  std::vector<int> order_;
  std::string message_;
  Committed committed_;
  std::promise<void> began_;
  std::promise<void> released_;
  std::unique_ptr<Writer> writer_;  // last: its thread uses the rest

 private:
  Status Apply(std::span<const Command> commands) {
    batches_.push_back(commands.size());
    if (batches_.size() == 1) {
      began_.set_value();
      released_.get_future().wait();
    }
    return answer_;
  }

  int submitted_ = 0;
};

TEST_F(WriterTest, TakesWhatIsQueuedAtMostSoMuchAtOnce) {
  Start({});
  HoldFirst();
  for (int i = 0; i < 600; ++i) Submit(i % 200);
  Release();
  writer_->Stop();
  EXPECT_THAT(batches_, ElementsAre(1, 256, 256, 88));
  EXPECT_EQ(writer_->counts().transactions, 4u);
  EXPECT_EQ(writer_->counts().committed, 601u);
  EXPECT_GT(writer_->counts().commit_cpu.count(), 0);
}

TEST_F(WriterTest, SettlesEachOnceAndInOrder) {
  Start({});
  HoldFirst();
  for (int i = 0; i < 600; ++i) Submit(i % 200);
  Release();
  writer_->Stop();
  ASSERT_THAT(order_, SizeIs(601));
  EXPECT_TRUE(std::is_sorted(order_.begin(), order_.end()));
  for (const auto& [number, codes] : settled_) {
    EXPECT_THAT(codes, ElementsAre(StatusCode::kOk)) << number;
  }
}

TEST_F(WriterTest, WhatIsCommittedIsShownInItsOrder) {
  Start({});
  HoldFirst();
  for (int card = 1; card < 5; ++card) Submit(card);
  EXPECT_THAT(TakeShown(), SizeIs(0)) << "shown before it was committed";
  Release();
  writer_->Stop();
  EXPECT_THAT(TakeShown(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(TakeShown(), SizeIs(0)) << "shown twice";
}

TEST_F(WriterTest, WhoIsToldFindsItShownNext) {
  Start({});
  std::vector<int> seen;
  std::promise<void> told;
  Release();
  writer_->Submit({7}, [&](const Status&) {
    seen = TakeShown();
    told.set_value();
  });
  told.get_future().wait();
  EXPECT_THAT(seen, ElementsAre(7));
}

TEST_F(WriterTest, AFailureIsToldToAllOfItsTransactionAndNothingIsShown) {
  Start({});
  answer_ = {StatusCode::kDiskFull, "the disk is full"};
  HoldFirst();
  for (int i = 0; i < 3; ++i) Submit(i);
  Release();
  writer_->Stop();
  for (int i = 0; i < 4; ++i) EXPECT_THAT(OutcomesOf(i), ElementsAre(StatusCode::kDiskFull));
  EXPECT_EQ(message_, "the disk is full");
  EXPECT_THAT(TakeShown(), SizeIs(0));
  EXPECT_EQ(writer_->counts().failed, 4u);
  EXPECT_EQ(writer_->counts().failed_transactions, 2u);
  EXPECT_EQ(writer_->counts().committed, 0u);
}

TEST_F(WriterTest, RefusesWhatItMayNotHold) {
  Start({.queue_limit = 2});
  HoldFirst();
  for (int i = 0; i < 4; ++i) Submit(i);
  EXPECT_THAT(OutcomesOf(3), ElementsAre(StatusCode::kQueueFull));
  EXPECT_THAT(OutcomesOf(4), ElementsAre(StatusCode::kQueueFull));
  EXPECT_THAT(OutcomesOf(2), SizeIs(0));
  Release();
  writer_->Stop();
  EXPECT_THAT(OutcomesOf(2), ElementsAre(StatusCode::kOk));
  EXPECT_EQ(writer_->counts().failed, 2u);
}

TEST_F(WriterTest, RefusesCardsThatThereAreNot) {
  Start({});
  Release();
  Submit(200);
  Submit(-1);
  EXPECT_THAT(OutcomesOf(0), ElementsAre(StatusCode::kUnknownCard));
  EXPECT_THAT(OutcomesOf(1), ElementsAre(StatusCode::kUnknownCard));
  EXPECT_THAT(message_, HasSubstr("-1"));
}

TEST_F(WriterTest, AfterItsStopItRefuses) {
  Start({});
  Release();
  writer_->Stop();
  writer_->Stop();
  Submit(1);
  EXPECT_THAT(OutcomesOf(0), ElementsAre(StatusCode::kStopped));
  EXPECT_THAT(batches_, SizeIs(0));
}

}  // namespace
}  // namespace rpcbench
