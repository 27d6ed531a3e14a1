// Streams that receive scripted chunks: what is legal passes, and whatever is not is found.
#include "fanout/load/stream_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/load/scripted_cohort.h"

namespace rpcbench {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kEndOfFrame = "\x01\x00\x00"s;

// A stream of a load, fed by hand.
class Fed final {
 public:
  explicit Fed(CheckContext& context) : check_(context, order_) {}

  void Take(const std::string& chunk) { check_.Take(chunk, std::chrono::nanoseconds(1'000'000)); }
  std::string last() const { return order_.last() == nullptr ? "" : order_.last()->id.text(); }
  std::uint64_t events() const { return check_.events(); }
  StreamCheck& check() { return check_; }

 private:
  EventOrder order_;
  StreamCheck check_;
};

class StreamCheckTest : public testing::TestWithParam<Codec> {
 protected:
  // No stream is decoded on its own unless a test asks for it: the references alone must see it.
  explicit StreamCheckTest(bool alone = false) : context_(GetParam(), 0, std::chrono::seconds(1)) {
    for (std::size_t i = 0; !alone && i < DecodeBudget::kLeast; ++i) context_.budget.Enter();
  }

  static bool zstd() { return GetParam() == Codec::kZstd; }
  std::size_t sequences() { return context_.references->sequences(); }
  const StreamTally& tally() const { return context_.tally; }

  CheckContext context_;
};

INSTANTIATE_TEST_SUITE_P(Codecs, StreamCheckTest, testing::Values(Codec::kZstd, Codec::kBrotli),
                         [](const auto& codec) { return std::string(ToString(codec.param)); });

TEST_P(StreamCheckTest, EqualStreamsAreDecodedOnce) {
  ScriptedCohort cohort(GetParam());
  Fed one(context_), two(context_), three(context_);
  for (int id = 1; id <= 30; ++id) {
    const std::string chunk = cohort.Publish(id);
    for (Fed* stream : {&two, &one, &three}) stream->Take(chunk);
  }
  EXPECT_EQ(sequences(), 1u);
  EXPECT_EQ(tally().events, 90u);
  EXPECT_EQ(tally().disorder, 0u);
  EXPECT_EQ(three.last(), "30");
}

TEST_P(StreamCheckTest, AJoinerIsSentTheLogInOne) {
  ScriptedCohort cohort(GetParam());
  Fed member(context_), joiner(context_);
  for (int id = 1; id <= 3; ++id) member.Take(cohort.Publish(id));
  joiner.Take(cohort.log());
  EXPECT_EQ(joiner.events(), 3u);
  const std::string next = cohort.Publish(4);
  joiner.Take(next);
  member.Take(next);
  EXPECT_EQ(sequences(), 1u);
  EXPECT_EQ(member.last(), "4");
  EXPECT_EQ(joiner.last(), "4");
}

TEST_P(StreamCheckTest, AJoinersBytesMayComeBeforeTheMembers) {
  ScriptedCohort cohort(GetParam());
  Fed member(context_), joiner(context_);
  std::vector<std::string> chunks;
  for (int id = 1; id <= 4; ++id) chunks.push_back(cohort.Publish(id));
  joiner.Take(cohort.log());
  for (const std::string& chunk : chunks) member.Take(chunk);
  EXPECT_EQ(sequences(), 1u);
  EXPECT_EQ(member.events(), 4u);
  EXPECT_EQ(member.last(), "4");
  EXPECT_EQ(tally().events, 8u);
}

TEST_P(StreamCheckTest, StreamsOfTwoCohortsAreTwoSequences) {
  ScriptedCohort early(GetParam()), late(GetParam());
  Fed one(context_), two(context_);
  one.Take(early.Publish(1));
  for (int id = 2; id <= 9; ++id) {
    one.Take(early.Publish(id));
    two.Take(late.Publish(id));
  }
  EXPECT_EQ(sequences(), 2u);
  EXPECT_EQ(one.last(), two.last());
}

TEST_P(StreamCheckTest, AnEncoderOfItsOwnMayLeaveEventsOut) {
  ScriptedCohort all(GetParam()), some(GetParam());
  Fed one(context_), two(context_);
  for (int id = 1; id <= 6; ++id) {
    one.Take(all.Publish(id));
    if (id != 4) two.Take(some.Publish(id));
  }
  EXPECT_EQ(two.events(), 5u);
  EXPECT_EQ(sequences(), 2u) << "the same up to the event that one of them did not get";
  EXPECT_EQ(tally().disorder, 0u);
}

TEST_P(StreamCheckTest, OneWrongByteInAFollowerIsFound) {
  ScriptedCohort cohort(GetParam());
  Fed good(context_);
  const std::string first = cohort.Publish(1);
  const std::string second = cohort.Publish(2);
  good.Take(first);
  good.Take(second);
  int refused = 0;
  for (std::size_t at = 0; at < second.size(); ++at) {
    Fed victim(context_);
    victim.Take(first);
    std::string wrong = second;
    wrong[at] ^= 0x10;
    const std::uint64_t branches = context_.references->branches();
    try {
      victim.Take(wrong);
    } catch (const Error&) {
      ++refused;
    }
    EXPECT_EQ(context_.references->branches(), branches + 1) << "byte " << at;
  }
  EXPECT_GT(refused, 0);
  good.Take(cohort.Publish(3));
  EXPECT_EQ(good.last(), "3");
}

TEST_P(StreamCheckTest, BadBytesThatComeFirstDoNotSpoilTheOthers) {
  ScriptedCohort cohort(GetParam());
  Fed bad(context_), good(context_);
  const std::string first = cohort.Publish(1);
  for (Fed* stream : {&bad, &good}) stream->Take(first);
  const std::string second = cohort.Publish(2);
  EXPECT_THROW(bad.Take(std::string(second.size(), '\xff')), Error);
  good.Take(second);
  good.Take(cohort.Publish(3));
  EXPECT_EQ(good.last(), "3");
  bad.Take(cohort.Publish(4));
  EXPECT_EQ(bad.last(), "1") << "what follows cannot be checked and is passed over";
}

TEST_P(StreamCheckTest, AMissingChunkIsFound) {
  ScriptedCohort cohort(GetParam());
  Fed good(context_), bad(context_);
  EXPECT_THROW(
      for (int id = 1; id <= 40; ++id) {
        const std::string chunk = cohort.Publish(id);
        good.Take(chunk);
        if (id != 5) bad.Take(chunk);
      },
      Error);
}

TEST_P(StreamCheckTest, AnEventHasOneContentOnAllStreams) {
  ScriptedCohort one(GetParam()), other(GetParam());
  Fed first(context_), second(context_);
  first.Take(one.Publish(7, "seven"));
  EXPECT_THAT([&] { second.Take(other.Publish(7, "eight")); },
              ThrowsMessage<Error>(HasSubstr("event 7 has other data")));
}

TEST_P(StreamCheckTest, HeartbeatsAreNoDifference) {
  ScriptedCohort cohort(GetParam());
  Fed one(context_), two(context_);
  std::string heartbeat;
  AppendHeartbeat(GetParam(), heartbeat);
  for (int id = 1; id <= 5; ++id) {
    const std::string chunk = cohort.Publish(id);
    one.Take(chunk);
    one.Take(heartbeat);
    two.Take(chunk);
  }
  EXPECT_EQ(sequences(), 1u);
  EXPECT_EQ(tally().heartbeats, 5u);
  EXPECT_EQ(one.last(), two.last());
}

TEST_P(StreamCheckTest, EventsThatGoBackAreCounted) {
  ScriptedCohort cohort(GetParam());
  Fed stream(context_);
  for (const int id : {1, 3, 2, 2}) stream.Take(cohort.Publish(id));
  EXPECT_EQ(tally().disorder, 2u);
}

TEST_P(StreamCheckTest, ASplicedStreamGoesOnWithAnotherCohort) {
  if (!zstd()) GTEST_SKIP() << "only zstd has several frames in one body";
  ScriptedCohort one(GetParam()), two(GetParam());
  Fed mover(context_), resident(context_), separately(context_);
  const std::string first = one.Publish(1);
  mover.Take(first);
  separately.Take(first);
  for (int id = 2; id <= 4; ++id) resident.Take(two.Publish(id));
  mover.Take(kEndOfFrame + two.log());
  separately.Take(kEndOfFrame);
  separately.Take(two.log());
  const std::string next = two.Publish(5);
  for (Fed* stream : {&mover, &resident, &separately}) stream->Take(next);
  EXPECT_EQ(sequences(), 1u) << "nobody follows the first cohort any more";
  for (Fed* stream : {&mover, &resident, &separately}) EXPECT_EQ(stream->last(), "5");
  EXPECT_EQ(tally().disorder, 0u);
}

TEST_P(StreamCheckTest, AMergeBringsAllTogether) {
  if (!zstd()) GTEST_SKIP() << "only zstd has several frames in one body";
  ScriptedCohort one(GetParam()), two(GetParam()), both(GetParam());
  Fed left(context_), right(context_);
  left.Take(one.Publish(1));
  right.Take(two.Publish(2));
  left.Take(one.Publish(2));
  both.Publish(3);
  for (Fed* stream : {&left, &right}) stream->Take(kEndOfFrame + both.log());
  EXPECT_EQ(sequences(), 1u);
  EXPECT_EQ(left.last(), "3");
}

TEST_P(StreamCheckTest, WhatWasLostIsFoundAgainWithTheNextFrame) {
  if (!zstd()) GTEST_SKIP() << "only zstd has several frames in one body";
  ScriptedCohort one(GetParam()), two(GetParam());
  Fed stream(context_);
  stream.Take(one.Publish(1));
  EXPECT_THROW(stream.Take("\xff\xff\xff nonsense"), Error);
  stream.Take(one.Publish(2));
  stream.Take(two.Publish(3));
  EXPECT_EQ(stream.last(), "3");
}

class DecodedAloneTest : public StreamCheckTest {
 protected:
  DecodedAloneTest() : StreamCheckTest(true) {}
};

INSTANTIATE_TEST_SUITE_P(Codecs, DecodedAloneTest,
                         testing::Values(Codec::kZstd, Codec::kBrotli, Codec::kIdentity),
                         [](const auto& codec) { return std::string(ToString(codec.param)); });

TEST_P(DecodedAloneTest, TheFirstStreamsAreDecodedOnTheirOwnToo) {
  ScriptedCohort cohort(GetParam());
  std::vector<std::unique_ptr<Fed>> streams;
  for (int i = 0; i < 30; ++i) streams.push_back(std::make_unique<Fed>(context_));
  for (int id = 1; id <= 5; ++id) {
    const std::string chunk = cohort.Publish(id);
    for (const auto& stream : streams) stream->Take(chunk);
  }
  EXPECT_EQ(context_.budget.streams(), DecodeBudget::kLeast);
  EXPECT_EQ(tally().events, 150u);
  streams.clear();
  EXPECT_EQ(context_.budget.streams(), 0u);
}

TEST_P(DecodedAloneTest, SplicesHeartbeatsAndJoinsAreTheSameToThem) {
  ScriptedCohort one(GetParam()), two(GetParam());
  Fed member(context_), joiner(context_);
  std::string heartbeat;
  AppendHeartbeat(GetParam(), heartbeat);
  member.Take(one.Publish(1));
  member.Take(one.Publish(2));
  joiner.Take(one.log());
  member.Take(heartbeat);
  two.Publish(3);
  const std::string moved = GetParam() == Codec::kZstd ? kEndOfFrame + two.log() : one.Publish(3);
  member.Take(moved);
  joiner.Take(moved);
  EXPECT_EQ(context_.budget.streams(), 2u);
  EXPECT_EQ(member.last(), "3");
  EXPECT_EQ(joiner.events(), 3u);
}

TEST(DecodeBudgetTest, RoomIsWhatEventsCost) {
  DecodeBudget budget(0.5);
  for (std::size_t i = 0; i < DecodeBudget::kLeast; ++i) {
    EXPECT_TRUE(budget.HasRoom());
    budget.Enter();
  }
  EXPECT_FALSE(budget.HasRoom()) << "nothing has a price yet";
  budget.Spend(std::chrono::microseconds(100 * 1000), 1000);  // 2 ms a stream a second
  std::size_t streams = budget.streams();
  for (; budget.HasRoom(); ++streams) budget.Enter();
  EXPECT_EQ(streams, 249u);
}

}  // namespace
}  // namespace rpcbench
