#include "fanout/sse/replay_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "echo/error.h"
#include "fanout/sse/event_id.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(EventIdTest, GoesAndComesBack) {
  for (const EventId& id : {EventId{"likes7", 123}, EventId{"a-b", 0}, EventId{"-", 7},
                            EventId{"a", 18446744073709551615u}}) {
    EXPECT_THAT(ParseEventId(ToString(id)), Optional(id));
  }
  EXPECT_EQ(ToString(EventId{"likes7", 123}), "likes7-123");
}

TEST(EventIdTest, AnythingElseIsNone) {
  for (const char* text : {"", "likes7", "likes7-", "-1", "123", "likes7-1x", "likes7-x1",
                           "likes7- 1", "likes7-01", "likes7-+1", "likes7-18446744073709551616",
                           "likes7-99999999999999999999999", "likes7-1 ", "likes7-1.0"}) {
    EXPECT_EQ(ParseEventId(text), std::nullopt) << text;
  }
}

class ReplayLogTest : public testing::Test {
 protected:
  void Log(std::uint64_t first, std::uint64_t last, std::size_t bytes = 10) {
    for (std::uint64_t n = first; n <= last; ++n) {
      log_.Append(n, std::make_shared<const Chunk>(std::string(bytes, 'x'), 1));
    }
  }

  // The numbers that a client with this id is sent, or {0} for a reset.
  std::vector<std::uint64_t> Since(const std::string& id) const {
    const auto missed = log_.Since(id);
    if (!missed) return {0};
    std::vector<std::uint64_t> numbers;
    for (const LoggedEvent& event : *missed) numbers.push_back(event.number);
    return numbers;
  }

  ReplayLog log_{"likes7", {.events = 5, .bytes = 100}, 10};
};

TEST_F(ReplayLogTest, ExactlyWhatWasMissedInOrder) {
  Log(11, 14);
  EXPECT_THAT(Since("likes7-12"), ElementsAre(13, 14));
  EXPECT_THAT(Since("likes7-14"), IsEmpty());
  EXPECT_THAT(Since("likes7-10"), ElementsAre(11, 12, 13, 14));  // joined before the first event
}

TEST_F(ReplayLogTest, AnEmptyLogKnowsItsBase) {
  EXPECT_THAT(Since("likes7-10"), IsEmpty());
  EXPECT_THAT(Since("likes7-9"), ElementsAre(0));
  EXPECT_THAT(Since("likes7-11"), ElementsAre(0));
  EXPECT_EQ(log_.last(), 10u);
}

TEST_F(ReplayLogTest, WhatCannotBeToldIsAReset) {
  Log(11, 14);
  for (const char* id : {"likes7-15", "likes7-9", "likes7-0", "likes8-12", "likes-12", "12", "junk",
                         "", "likes7-012", "likes7-18446744073709551615"}) {
    EXPECT_THAT(Since(id), ElementsAre(0)) << id;
  }
}

TEST_F(ReplayLogTest, AGapInTheNumbersIsUnknown) {
  Log(11, 12);
  Log(20, 21);
  EXPECT_THAT(Since("likes7-15"), ElementsAre(0));
  EXPECT_THAT(Since("likes7-12"), ElementsAre(20, 21));
  ASSERT_TRUE(log_.After(15));  // for a client that read another topic up to there
  EXPECT_EQ(log_.After(15)->size(), 2u);
}

TEST_F(ReplayLogTest, TheNumberOfEventsIsBounded) {
  Log(11, 20);
  EXPECT_EQ(log_.events(), 5u);
  EXPECT_THAT(Since("likes7-15"), ElementsAre(16, 17, 18, 19, 20));  // it left, but was the last to
  EXPECT_THAT(Since("likes7-14"), ElementsAre(0));
}

TEST_F(ReplayLogTest, TheBytesAreBounded) {
  Log(11, 14, 40);
  EXPECT_EQ(log_.events(), 2u);
  EXPECT_EQ(log_.bytes(), 80u);
  EXPECT_THAT(Since("likes7-12"), ElementsAre(13, 14));
  EXPECT_THAT(Since("likes7-11"), ElementsAre(0));
}

TEST_F(ReplayLogTest, AnEventBeyondTheBoundIsNotKept) {
  Log(11, 12);
  Log(13, 13, 101);
  EXPECT_EQ(log_.events(), 0u);
  EXPECT_EQ(log_.bytes(), 0u);
  EXPECT_THAT(Since("likes7-13"), IsEmpty());
  EXPECT_THAT(Since("likes7-12"), ElementsAre(0));
}

TEST_F(ReplayLogTest, TopicsThatCannotBeInAnIdAreRefused) {
  for (const std::string& topic :
       {std::string(), std::string("a\nb"), std::string("a\r"), std::string("a\0b", 3)}) {
    EXPECT_THROW(ReplayLog(topic, {}), Error);
  }
}

}  // namespace
}  // namespace rpcbench
