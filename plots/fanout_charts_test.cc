// Which fan-out rows become which bars and lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "plots/draw.h"
#include "results/fanout.h"
#include "results/name.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

using Counters = std::map<std::string, double>;

Row MakeRow(const std::string& name, const Counters& counters) {
  Row row = ParseRowName(name);
  row.repeats = {{.index = 0, .counters = counters}};
  return row;
}

Chart ChartOf(const rpcbench::Run& run, const std::string& name, bool published = false) {
  const std::vector<Chart> charts =
      published ? ChartsOf(run, {}, RPCBENCH_PUBLISHED_FANOUT) : ChartsOf(run);
  return *std::find_if(charts.begin(), charts.end(),
                       [&](const Chart& chart) { return chart.name == name; });
}

Chart ChartOf(const std::vector<Row>& rows, const std::string& name, bool published = false) {
  rpcbench::Run run;
  run.rows = rows;
  return ChartOf(run, name, published);
}

std::vector<std::string> LabelsOf(const Chart& chart) {
  std::vector<std::string> labels;
  for (const Bar& bar : chart.bars) labels.push_back(bar.label);
  return labels;
}

class FanoutSample : public testing::Test {
 protected:
  FanoutSample() {
    WriteSampleRun(folder_.path(), {.good = false});
    run_ = ReadRun(folder_.path());
  }
  Scratch folder_;
  rpcbench::Run run_;
};

TEST(EncoderChartsTest, StandByCodecAndLevelWithThePublishedBeside) {
  const Chart chart =
      ChartOf({MakeRow("BenchmarkBoardLevels/zstd_7/window:19", {{"bytes_frame", 3}}),
               MakeRow("BenchmarkBoardLevels/zstd_-1/window:19", {{"bytes_frame", 9}}),
               MakeRow("BenchmarkBoardLevels/zstd_7/window:18", {{"bytes_frame", 4}}),
               MakeRow("BenchmarkBoardLevels/brotli_4/window:19", {{"bytes_frame", 5}})},
              "fanout_bytes", true);
  EXPECT_THAT(LabelsOf(chart),
              ElementsAre("zstd -1, window 2^19", "zstd 7, window 2^18", "zstd 7, window 2^19",
                          "published: zstd better", "brotli 4, window 2^19", "published: brotli 4",
                          "published: zstd fastest", "published: zstd default"));
  EXPECT_TRUE(chart.bars[3].published);
  EXPECT_TRUE(chart.bars[4].begins_group);
  EXPECT_FALSE(chart.bars[5].begins_group);
  EXPECT_EQ(chart.bars[0].parts[0].colour, chart.bars[3].parts[0].colour)
      << "one codec, one colour";
  EXPECT_NE(chart.bars[0].parts[0].colour, chart.bars[4].parts[0].colour);
  EXPECT_THAT(chart.published, HasSubstr("another machine, not this run: Go, 12 cores"));
}

TEST(EncoderChartsTest, HeapIsInMebibytesOnALogAxis) {
  const Chart chart =
      ChartOf({MakeRow("BenchmarkHeapPerStream/zstd_1/streams:20", {{"heap_stream", 3 << 20}})},
              "fanout_heap");
  ASSERT_THAT(chart.bars, SizeIs(1));
  EXPECT_EQ(chart.bars[0].value, 3);
  EXPECT_TRUE(chart.x.log);
  EXPECT_THAT(chart.published, IsEmpty());
}

TEST(EncoderChartsTest, PublishedFiguresAloneAreNoChart) {
  EXPECT_THAT(ChartOf(std::vector<Row>{}, "fanout_bytes", true).bars, IsEmpty());
}

TEST(BoardChartsTest, CpuPartsAddUpToAllCores) {
  const Chart chart = ChartOf({MakeRow("BenchmarkSharedBoard/zstd/full/cohort/sink/streams:200",
                                       {{"cores", 2}, {"cpu_render", 0.1}, {"cpu_encode", 0.5}})},
                              "fanout_cpu", true);
  ASSERT_THAT(chart.bars, SizeIs(3)) << "ours and two published";
  const std::vector<Bar::Part>& parts = chart.bars[0].parts;
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_EQ(parts[0].to, 0.2);
  EXPECT_EQ(parts[1].from, 0.2);
  EXPECT_EQ(parts[1].to, 1.2);
  EXPECT_EQ(parts[2].to, 2);
  EXPECT_THAT(chart.bars[1].parts, SizeIs(1)) << "published does not tell them apart";
  const Chart shares = ChartOf({MakeRow("BenchmarkSharedBoard/zstd/full/cohort/sink/streams:200",
                                        {{"cores", 2}, {"cpu_encode", 0.5}})},
                               "fanout_cpu_share", true);
  ASSERT_THAT(shares.bars, SizeIs(1)) << "published rows have no shares";
  EXPECT_EQ(shares.bars[0].parts[0].to, 50);
  EXPECT_EQ(shares.bars[0].parts[1].to, 100);
  EXPECT_EQ(shares.bars[0].text, "2 cores");
  for (const LegendEntry& entry : chart.legend) {
    for (const char* codec : {"zstd", "brotli", "identity"}) {
      EXPECT_NE(entry.colour, FanoutStyle(codec, false).colour) << entry.label;
    }
  }
}

TEST(BoardChartsTest, DrawsTheUsualNumberOfStreamsOrElseTheOneThatMostHave) {
  const auto row = [](const std::string& codec, int streams) {
    return MakeRow(
        "BenchmarkSharedBoard/" + codec + "/full/cohort/sink/streams:" + std::to_string(streams),
        {{"cores", 1}});
  };
  const Chart usual = ChartOf({row("zstd", 200), row("zstd", 50), row("brotli", 50)}, "fanout_cpu");
  EXPECT_THAT(usual.bars, SizeIs(1));
  EXPECT_THAT(usual.title, HasSubstr("200 streams"));
  const Chart most =
      ChartOf({row("zstd", 10), row("zstd", 50), row("brotli", 50)}, "fanout_cpu", true);
  EXPECT_THAT(LabelsOf(most), ElementsAre("zstd, FULL, cohort, sink", "brotli, FULL, cohort, sink"))
      << "published rows have 200 streams";
  EXPECT_THAT(most.title, HasSubstr("50 streams"));
}

TEST(BoardChartsTest, FullStandsOverNormal) {
  const auto row = [](const std::string& variant) {
    return MakeRow("BenchmarkSharedBoard/zstd/" + variant + "/sink/streams:200",
                   {{"due_commit_p50_ms", 1}, {"due_commit_p99_ms", 4}});
  };
  const Chart chart = ChartOf(
      {row("normal/per_stream"), row("normal/cohort"), row("full/cohort"), row("full/per_stream")},
      "fanout_commit", true);
  EXPECT_THAT(
      LabelsOf(chart),
      ElementsAre("zstd, FULL, per stream, sink", "zstd, NORMAL, per stream, sink",
                  "zstd, FULL, cohort, sink", "zstd, NORMAL, cohort, sink",
                  "published: zstd, FULL, per stream", "published: zstd, NORMAL, per stream",
                  "published: brotli, FULL, per stream", "published: brotli, NORMAL, per stream"));
  EXPECT_EQ(chart.bars[0].text, "1 / 4");
  EXPECT_EQ(chart.bars[4].text, "3.4 (p50)");
  EXPECT_TRUE(chart.bars[2].begins_group);
  EXPECT_FALSE(chart.bars[3].begins_group);
}

TEST(StreamChartsTest, LinesHoldWhatDiffersInStreamsOnly) {
  const auto row = [](const std::string& variant, int streams) {
    return MakeRow("BenchmarkSharedBoard/zstd/" + variant + "/streams:" + std::to_string(streams),
                   {{"encode_cores", 0.5}});
  };
  const Chart chart = ChartOf({row("full/cohort/wire", 200), row("normal/cohort/wire", 200),
                               row("normal/cohort/wire", 5000), row("full/per_stream/sink", 200),
                               row("normal/per_stream/sink", 200)},
                              "fanout_cohort");
  ASSERT_THAT(chart.series, SizeIs(2));
  std::map<std::string, std::size_t> points;
  for (const Series& series : chart.series) {
    points[series.label] = series.points.size();
    EXPECT_EQ(series.points[0].y, 0.5);
  }
  EXPECT_EQ(points["zstd, NORMAL, cohort, wire"], 2u);
  EXPECT_EQ(points["zstd, NORMAL, per stream, sink"], 1u);
  EXPECT_EQ(chart.series[0].style.colour, chart.series[1].style.colour);
  EXPECT_NE(chart.series[0].style.dash, chart.series[1].style.dash);
}

TEST(StreamChartsTest, StreamsACoreComeFromTheLargestWireRowsAndFromPush) {
  const Chart chart = ChartOf(
      {MakeRow("BenchmarkSharedBoard/zstd/full/cohort/wire/streams:200", {{"cores", 0.1}}),
       MakeRow("BenchmarkSharedBoard/zstd/full/cohort/wire/streams:5000", {{"cores", 0.5}}),
       MakeRow("BenchmarkSharedBoard/zstd/full/cohort/sink/streams:5000", {{"cores", 0.01}}),
       MakeRow("BenchmarkPush/nchan/streams:2000", {{"server_us_event", 10}})},
      "fanout_streams", true);
  ASSERT_THAT(chart.bars, SizeIs(4));
  EXPECT_EQ(chart.bars[0].label, "zstd, FULL, cohort, wire, 5,000 streams");
  EXPECT_EQ(chart.bars[0].value, 10'000);
  EXPECT_EQ(chart.bars[1].label, "push: nchan, 2,000 streams");
  EXPECT_DOUBLE_EQ(chart.bars[1].value, 5'000);
  EXPECT_EQ(chart.bars[2].label, "published: zstd, per stream, 200 streams");
  EXPECT_NEAR(chart.bars[2].value, 200 / 1.59, 1e-9);
}

TEST_F(FanoutSample, NamesWhatIsNotDrawn) {
  EXPECT_THAT(ChartOf(run_, "fanout_tick").notes,
              ElementsAre("Invalid: brotli, FULL, per stream, wire: a tick took 71 ms, and a tick "
                          "is 50 ms"));
  EXPECT_THAT(ChartOf(run_, "fanout_push").notes,
              ElementsAre(StartsWith("Skipped: nchan at streams")));
}

TEST_F(FanoutSample, HasOneColourACodecAndNoneOfItOnEchoCharts) {
  std::map<std::string, std::set<std::string>> colours;
  for (const Chart& chart : ChartsOf(run_, {}, RPCBENCH_PUBLISHED_FANOUT)) {
    const bool fanout = chart.name.starts_with("fanout_");
    EXPECT_TRUE(IsDrawable(chart) || !fanout) << chart.name;
    for (const Series& series : chart.series) {
      if (fanout) colours[series.framework].insert(series.style.colour);
      EXPECT_EQ(fanout, FanoutStyle(series.framework, false).colour != "#000000") << series.label;
    }
    if (fanout) continue;
    EXPECT_THAT(LabelsOf(chart), Each(Not(HasSubstr("zstd")))) << chart.name;
  }
  for (const auto& [name, seen] : colours) EXPECT_THAT(seen, SizeIs(1)) << name;
  EXPECT_THAT(colours, Contains(testing::Key("brotli")));
}

}  // namespace
}  // namespace rpcbench
