// Whole runs with streams in this process, and what becomes of bytes that are not what they should
// be.
#include "fanout/board/sink.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fanout/board/board_run.h"
#include "fanout/board/frame_check.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A topic with small events, and streams that took them.
class SinkTest : public testing::TestWithParam<std::tuple<Codec, bool>> {
 protected:
  void Publish(int events) {
    for (int i = 0; i < events; ++i) {
      published_.push_back(fmt::format("id: {0}\ndata: event {0} of some, {1}\n\n",
                                       published_.size() + 1,
                                       std::string(200, static_cast<char>('a' + i % 26))));
      topic_.Publish(published_.back());
      sink_.TakeAll();
    }
  }

  // As after a fault: one chunk of a stream is another.
  void Replace(std::size_t stream, std::size_t chunk, ChunkRef by) {
    taken_ = sink_.taken();
    taken_[stream][chunk] = std::move(by);
  }

  FrameCheck Check() const {
    return CheckFrames(taken_.empty() ? sink_.taken() : taken_, codec_, published_);
  }

  const Codec codec_ = std::get<0>(GetParam());
  const bool shared_ = std::get<1>(GetParam());
  Topic topic_{TopicOptions{}};
  Sink sink_{topic_, codec_, shared_};
  std::vector<std::string> published_;
  std::vector<Sink::Taken> taken_;
};

std::string NameOfCodec(const testing::TestParamInfo<std::tuple<Codec, bool>>& info) {
  return fmt::format("{}_{}", ToString(std::get<0>(info.param)),
                     std::get<1>(info.param) ? "cohort" : "per_stream");
}

INSTANTIATE_TEST_SUITE_P(Codecs, SinkTest,
                         testing::Values(std::tuple(Codec::kZstd, true),
                                         std::tuple(Codec::kZstd, false),
                                         std::tuple(Codec::kBrotli, true),
                                         std::tuple(Codec::kBrotli, false),
                                         std::tuple(Codec::kIdentity, true)),
                         NameOfCodec);

TEST_P(SinkTest, EveryStreamDecodesToWhatWasPublished) {
  Publish(1);
  sink_.Join(3);
  Publish(5);
  sink_.Join(2);
  Publish(20);
  EXPECT_EQ(sink_.open(), 5u);
  const FrameCheck check = Check();
  EXPECT_EQ(check.problem, "");
  EXPECT_EQ(check.decoded_streams + check.compared_streams, 5u);
  if (shared_) {
    EXPECT_GE(check.compared_streams, 3u) << "streams that joined together share all";
  } else {
    EXPECT_EQ(check.decoded_streams, 5u);
  }
}

TEST_P(SinkTest, CountsWhatItTakes) {
  Publish(1);
  sink_.Join(2);
  Publish(9);
  EXPECT_EQ(sink_.counts().events, 20u);
  std::uint64_t bytes = 0;
  for (const Sink::Taken& taken : sink_.taken()) {
    for (const ChunkRef& chunk : taken) bytes += chunk->body().size();
  }
  EXPECT_EQ(sink_.counts().bytes, bytes);
  EXPECT_TRUE(topic_.counts().ledger.Balances(0));
}

TEST_P(SinkTest, AFlippedBitIsFound) {
  Publish(1);
  sink_.Join(3);
  Publish(9);
  // In the first chunk there are literals: whatever the codec, this byte is one of the text's.
  std::string body(sink_.taken()[1][0]->body());
  body[body.size() / 2] ^= 1;
  Replace(1, 0, std::make_shared<const Chunk>(body, 1));
  EXPECT_THAT(Check().problem, HasSubstr("stream 1: chunk 0 of 10"));
}

TEST_P(SinkTest, AMissingFrameIsFound) {
  Publish(1);
  sink_.Join(3);
  Publish(9);
  Replace(2, 4, sink_.taken()[2][5]);
  EXPECT_THAT(Check().problem, HasSubstr("stream 2: chunk 4 of 10"));
}

TEST_P(SinkTest, AStreamThatStopsShortIsFound) {
  Publish(1);
  sink_.Join(2);
  Publish(3);
  taken_ = sink_.taken();
  taken_[0].pop_back();
  EXPECT_THAT(Check().problem, HasSubstr("ends with event 3 of 4"));
}

TEST_P(SinkTest, AStreamThatHadNothingIsFound) {
  Publish(2);
  taken_.emplace_back();
  EXPECT_THAT(Check().problem, HasSubstr("ends with event 0 of 2"));
}

// A short board, from the command to the decoded frame.
class BoardRunTest : public testing::TestWithParam<std::tuple<Codec, bool, Synchronous>> {
 protected:
  BoardRunTest() {
    options_.warm_up = 200ms;
    options_.tick = 20ms;
    judged_ = options_;
    judged_.tick = 1h;  // how long a tick takes is the machine's affair, and not this test's
  }

  BoardFigures Run(std::chrono::nanoseconds window) {
    BoardRun run(case_, options_);
    return run.Measure(window);
  }

  BoardCase case_{.codec = std::get<0>(GetParam()),
                  .synchronous = std::get<2>(GetParam()),
                  .cohort = std::get<1>(GetParam()),
                  .streams = 30};
  BoardOptions options_;
  BoardOptions judged_;
};

INSTANTIATE_TEST_SUITE_P(Codecs, BoardRunTest,
                         testing::Values(std::tuple(Codec::kZstd, true, Synchronous::kFull),
                                         std::tuple(Codec::kZstd, false, Synchronous::kNormal),
                                         std::tuple(Codec::kBrotli, true, Synchronous::kNormal),
                                         std::tuple(Codec::kBrotli, false, Synchronous::kFull),
                                         std::tuple(Codec::kIdentity, true, Synchronous::kFull)),
                         [](const auto& row) {
                           return fmt::format("{}_{}_{}", ToString(std::get<0>(row.param)),
                                              std::get<1>(row.param) ? "cohort" : "per_stream",
                                              ToString(std::get<2>(row.param)));
                         });

TEST_P(BoardRunTest, PassesItsOwnChecks) {
  const BoardFigures figures = Run(400ms);
  EXPECT_THAT(Violations(case_, judged_, figures), IsEmpty());
  Counters counters = CountersOf(case_, figures);
  EXPECT_GT(counters["ticks_s"], 0);
  EXPECT_GT(counters["bytes_frame"], 0);
  EXPECT_GT(counters["cpu_commit"], 0);
  EXPECT_EQ(counters["decoded_streams"] + counters["compared_streams"], 30);
  if (case_.codec == Codec::kZstd && case_.cohort) {
    EXPECT_EQ(counters["cohorts"], 1) << "the warm-up ends an epoch";
  }
  if (!case_.cohort) {
    EXPECT_GT(counters["heap_stream"], 0);
  }
}

}  // namespace
}  // namespace rpcbench
