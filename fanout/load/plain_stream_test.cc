// Streams without compression: chunks cut anywhere, numbers, times, what is one stream's alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/load/stream_check.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

class PlainStreamTest : public testing::Test {
 protected:
  struct Fed {
    explicit Fed(CheckContext& context) : check(context, order) {}
    void Take(const std::string& chunk, std::chrono::nanoseconds now = 0ns) {
      check.Take(chunk, now);
    }
    EventOrder order;
    StreamCheck check;
  };

  PlainStreamTest() : context_(Codec::kIdentity, 0, 50ms) {
    context_.tally.latency.Reset(1000);
    for (std::size_t i = 0; i < DecodeBudget::kLeast; ++i) context_.budget.Enter();
  }

  static std::string Numbered(int number) {
    const std::string text = std::to_string(number);
    return "id: " + text + "\ndata: t=1000000 n=" + text + " hello\n\n";
  }
  const StreamTally& tally() const { return context_.tally; }

  CheckContext context_;
};

TEST_F(PlainStreamTest, EventsAreWholeWhereverChunksAreCut) {
  const std::string body = ": hi\n\n" + Numbered(1) + Numbered(2);
  for (std::size_t cut = 1; cut < body.size(); ++cut) {
    Fed stream(context_);
    stream.Take(body.substr(0, cut));
    stream.Take(body.substr(cut));
    EXPECT_EQ(stream.check.events(), 2u) << cut;
  }
  EXPECT_EQ(tally().disorder, 0u);
}

TEST_F(PlainStreamTest, NumbersPassedOverAreGaps) {
  Fed stream(context_);
  for (const int number : {1, 2, 5, 6}) stream.Take(Numbered(number));
  EXPECT_EQ(tally().gaps, 2u);
  EXPECT_EQ(tally().disorder, 0u);
  stream.Take(Numbered(6));
  EXPECT_EQ(tally().disorder, 1u) << "an event that came twice";
}

TEST_F(PlainStreamTest, LatencyIsFromTheTimeInTheData) {
  Fed stream(context_);
  stream.Take(Numbered(1), 1ms + 20ms);
  stream.Take(Numbered(2), 1ms + 60ms);
  EXPECT_EQ(tally().late_events, 1u);
  ASSERT_EQ(tally().latency.samples().size(), 2u);
  EXPECT_EQ(tally().latency.samples()[0], 20'000'000);
}

TEST_F(PlainStreamTest, WhatOneStreamAloneIsSentIsNoDifference) {
  Fed one(context_), two(context_);
  one.Take("retry: 700\n\n");
  two.Take("retry: 1300\n\n");
  for (int number = 1; number <= 3; ++number) {
    one.Take(Numbered(number));
    if (number == 2) two.Take(":\n\n");
    two.Take(Numbered(number));
  }
  EXPECT_EQ(one.check.retry(), 700ms);
  EXPECT_EQ(two.check.retry(), 1300ms);
  EXPECT_EQ(tally().events, 6u);
  EXPECT_EQ(tally().disorder, 0u);
}

TEST_F(PlainStreamTest, OneWrongByteIsFound) {
  Fed good(context_), bad(context_);
  good.Take(Numbered(1));
  std::string wrong = Numbered(1);
  wrong[wrong.find("hello")] = 'j';
  EXPECT_THROW(bad.Take(wrong), Error);
  good.Take(Numbered(2));
  bad.Take(Numbered(2));
  EXPECT_EQ(tally().events, 3u) << "without compression the next event can be checked again";
}

TEST_F(PlainStreamTest, AResetBeginsAnew) {
  Fed stream(context_);
  stream.Take(Numbered(9));
  stream.Take("event: reset\ndata:\n\n");
  stream.Take(Numbered(1));
  EXPECT_EQ(tally().resets, 1u);
  EXPECT_EQ(tally().disorder, 0u);
}

TEST_F(PlainStreamTest, AfterAReconnectTheLastEventMayComeAgain) {
  Fed stream(context_);
  stream.Take(Numbered(3));
  stream.order.Reconnect();
  stream.Take(Numbered(3));
  EXPECT_EQ(tally().disorder, 0u);
  stream.Take(Numbered(3));
  EXPECT_EQ(tally().disorder, 1u);
}

}  // namespace
}  // namespace rpcbench
