#include "fanout/encode/encoder_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fanout/encode/encoder_set.h"

namespace rpcbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

class EncoderRowsTest : public testing::Test {
 protected:
  EncoderRowsTest() {
    options_.streams = 3;
    options_.ticks = 20;
    options_.warn = [this](const std::string& warning) { warnings_.push_back(warning); };
    rows_ = BoardLevelRows(options_);
    for (RowSpec& row : HeapRows(options_)) rows_.push_back(std::move(row));
  }

  const RowSpec& Row(const std::string& name) {
    const auto row = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const RowSpec& spec) { return spec.name == name; });
    EXPECT_NE(row, rows_.end()) << "no row " << name;
    return *row;
  }
  RowResult Run(const std::string& name) { return Row(name).start()->Run(1, Count::kNothing); }

  EncoderRowsOptions options_;
  std::vector<std::string> warnings_;
  std::vector<RowSpec> rows_;
};

TEST_F(EncoderRowsTest, EveryNameIsOne) {
  std::set<std::string> names;
  for (const RowSpec& row : rows_) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_THAT(
      names,
      IsSupersetOf(
          {"BenchmarkBoardLevels/zstd_-1/window:18", "BenchmarkBoardLevels/zstd_1_lowmem/window:19",
           "BenchmarkBoardLevels/zstd_12/window:19", "BenchmarkBoardLevels/brotli_9/window:18",
           "BenchmarkBoardLevels/brotli_4/window:22", "BenchmarkHeapPerStream/zstd_1/streams:20",
           "BenchmarkHeapPerStream/zstd_1_lowmem/streams:20",
           "BenchmarkHeapPerStream/brotli_4/streams:20",
           "BenchmarkHeapPerStream/brotli_4/streams:20/window:22"}));
}

TEST_F(EncoderRowsTest, WhatBrowsersDoNotDecodeIsSkippedWithTheReason) {
  EXPECT_THAT(Row("BenchmarkBoardLevels/zstd_20/window:25").skipped,
              AllOf(HasSubstr("implies a window of 2^25"), HasSubstr("8 MB")));
  EXPECT_THAT(Row("BenchmarkBoardLevels/brotli_4/window:24").skipped, HasSubstr("2^24"));
  EXPECT_EQ(std::count_if(rows_.begin(), rows_.end(),
                          [](const RowSpec& row) { return !row.skipped.empty(); }),
            2);
}

TEST_F(EncoderRowsTest, ABoardRowHasItsCounters) {
  const RowResult result = Run("BenchmarkBoardLevels/zstd_1/window:19");
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_GT(result.seconds.count(), 0);
  EXPECT_EQ(result.counters.at("streams"), 3);
  EXPECT_EQ(result.counters.at("ticks"), 20);
  EXPECT_GT(result.counters.at("bytes_frame"), 100);
  EXPECT_LT(result.counters.at("bytes_frame"), 10'000);
  EXPECT_GT(result.counters.at("heap_stream"), 500'000);
  EXPECT_GE(result.counters.at("tick_p99_ms"), result.counters.at("tick_p50_ms"));
  EXPECT_NEAR(result.counters.at("cores"), result.counters.at("us_frame") * 200 * 19.8 / 1e6, 1e-9);
}

TEST_F(EncoderRowsTest, ASharedWindowLeavesTheBytesAndSparesHeap) {
  const RowResult own = Run("BenchmarkBoardLevels/zstd_1/window:19");
  options_.streams = 100;  // among fewer, the ring itself counts
  rows_ = BoardLevelRows(options_);
  const RowResult shared = Run("BenchmarkBoardLevels/zstd_1_shared/window:19");
  EXPECT_THAT(shared.violations, IsEmpty());
  EXPECT_LT(shared.counters.at("bytes_frame"), 1.05 * own.counters.at("bytes_frame"));
  EXPECT_LT(shared.counters.at("heap_stream"), 0.75 * own.counters.at("heap_stream"));
}

TEST_F(EncoderRowsTest, ATooSmallWindowRunsWithAWarningAndShowsItsCost) {
  const RowResult small = Run("BenchmarkBoardLevels/zstd_1/window:16");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_THAT(warnings_[0], HasSubstr("cannot refer to the one before"));
  const RowResult enough = Run("BenchmarkBoardLevels/zstd_1/window:18");
  EXPECT_GT(small.counters.at("bytes_frame"), 10 * enough.counters.at("bytes_frame"));
}

TEST_F(EncoderRowsTest, StreamsAreFewerWhereTheHeapIsBounded) {
  options_.most_heap_mb = 2;
  rows_ = BoardLevelRows(options_);
  const RowResult result = Run("BenchmarkBoardLevels/zstd_1/window:19");
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_LT(result.counters.at("streams"), 3);
  EXPECT_GE(result.counters.at("streams"), 1);
}

TEST_F(EncoderRowsTest, AHeapRowHasItsCounters) {
  const RowResult result = Run("BenchmarkHeapPerStream/zstd_1/streams:20");
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_EQ(result.counters.at("streams"), 20);
  EXPECT_LT(result.counters.at("bytes_frame"), 2'000);
  EXPECT_GT(result.counters.at("bytes_first"), result.counters.at("bytes_frame"));
  EXPECT_GT(result.counters.at("heap_stream"), 500'000);
}

TEST(EncoderSetTest, CheckNoticesAFrameThatIsAnother) {
  EncoderSet encoders(DefaultEncoder(Codec::kZstd), 2);
  encoders.Encode("the frame");
  EXPECT_THAT(encoders.Check("another frame"), HasSubstr("differ"));
}

TEST(EncoderSetTest, CheckIsContentWithAllStreamsAlike) {
  EncoderSet encoders(DefaultEncoder(Codec::kBrotli), 3);
  EncoderSet shared(DefaultEncoder(Codec::kZstd), 3, true);
  for (const char* frame : {"one", "two", "three"}) {
    encoders.Encode(frame);
    EXPECT_EQ(encoders.Check(frame), "");
    shared.Encode(frame);
    EXPECT_EQ(shared.Check(frame), "");
  }
  EXPECT_GT(encoders.bytes(), 0u);
}

}  // namespace
}  // namespace rpcbench
