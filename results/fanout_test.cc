// Fan-out rows from their names to their CSV files, and published figures beside them.
#include "results/fanout.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "results/fanout_published.h"
#include "results/fanout_summary.h"
#include "results/files.h"
#include "results/manifest.h"
#include "results/name.h"
#include "results/sample_run.h"
#include "results/scratch.h"
#include "results/summary.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string LabelOf(const std::string& name) {
  return FanoutLabel(ParseRowName(name));
}

// A row with one repeat and the counter "cores".
Row MakeRow(const std::string& name, double cores) {
  Row row = ParseRowName(name);
  row.file = "fanout/board.json";
  row.repeats = {{0, {{"cores", cores}}}};
  return row;
}

std::vector<std::string> NamesOf(const std::vector<Beside>& all) {
  std::vector<std::string> names;
  for (const Beside& one : all)
    names.push_back((one.published ? "published " : "") + one.row->name);
  return names;
}

TEST(FanoutTest, LabelsSayWhatTheNameSays) {
  EXPECT_EQ(LabelOf("BenchmarkSharedBoard/zstd/full/per_stream/sink/streams:200"),
            "zstd, FULL, per stream, sink");
  EXPECT_EQ(LabelOf("BenchmarkSharedBoard/brotli/normal/cohort/wire/canary:off/streams:1"),
            "brotli, NORMAL, cohort, wire, canary:off");
  EXPECT_EQ(LabelOf("BenchmarkSharedBoard/zstd/streams:1"), "zstd");
  EXPECT_EQ(LabelOf("BenchmarkBoardLevels/zstd_-1/window:18"), "zstd -1, window 2^18");
  EXPECT_EQ(LabelOf("BenchmarkHeapPerStream/zstd_1_lowmem/streams:20"), "zstd 1, low memory");
  EXPECT_EQ(LabelOf("BenchmarkHeapPerStream/zstd_1_shared/streams:20"), "zstd 1, shared window");
  EXPECT_EQ(LabelOf("BenchmarkPush/sse/streams:20"), "sse (this suite)");
  EXPECT_EQ(LabelOf("BenchmarkPush/nchan/streams:20"), "nchan");
}

TEST(FanoutTest, EchoFamiliesAreNone) {
  EXPECT_TRUE(IsFanout(ParseRowName("BenchmarkConnect/sse/streams:10000")));
  for (const char* name :
       {"BenchmarkQPS/a/clients:1", "BenchmarkHOL/victim/a", "BenchmarkPushy/a"}) {
    EXPECT_FALSE(IsFanout(ParseRowName(name))) << name;
  }
}

TEST(FanoutTest, CodecsAndPartnersComeFromNames) {
  EXPECT_EQ(CodecOf("zstd_1_lowmem"), "zstd");
  EXPECT_EQ(CodecOf("identity"), "identity");
  EXPECT_EQ(PartnerOf("zstd_fastest_lowmem"), "zstd_1_lowmem");
  EXPECT_EQ(PartnerOf("zstd_better"), "zstd_7");
  EXPECT_EQ(PartnerOf("brotli_4"), "brotli_4");
}

TEST(FanoutTest, RowsAreNoFrameworks) {
  rpcbench::Run run;
  run.manifest = nlohmann::json::object();
  run.rows = {MakeRow("BenchmarkSharedBoard/zstd/streams:1", 1)};
  EXPECT_THAT(FrameworksOf(run), IsEmpty());
  EXPECT_THAT(Summarize(run), IsEmpty());
}

TEST(SetBesideTest, PublishedRowsFollowTheLastOfTheirPartner) {
  const Row a = MakeRow("BenchmarkBoardLevels/zstd_1/window:18", 1);
  const Row b = MakeRow("BenchmarkBoardLevels/zstd_1/window:19", 1);
  const Row c = MakeRow("BenchmarkBoardLevels/zstd_3/window:19", 1);
  const FanoutPublished published{"",
                                  {MakeRow("BenchmarkBoardLevels/zstd_better", 1),
                                   MakeRow("BenchmarkBoardLevels/zstd_fastest", 1),
                                   MakeRow("BenchmarkHeapPerStream/zstd_fastest", 1)}};
  EXPECT_THAT(
      NamesOf(SetBeside({&a, &b, &c}, &published, kLevelsFamily)),
      ElementsAre("BenchmarkBoardLevels/zstd_1/window:18", "BenchmarkBoardLevels/zstd_1/window:19",
                  "published BenchmarkBoardLevels/zstd_fastest",
                  "BenchmarkBoardLevels/zstd_3/window:19",
                  "published BenchmarkBoardLevels/zstd_better"));
  EXPECT_THAT(SetBeside({}, &published, kLevelsFamily), IsEmpty());
  EXPECT_THAT(SetBeside({&a}, nullptr, kLevelsFamily), SizeIs(1));
}

TEST(FanoutPublishedTest, RowsHaveTheFiguresThatWereGiven) {
  const FanoutPublished published = ReadFanoutPublished(RPCBENCH_PUBLISHED_FANOUT);
  EXPECT_THAT(published.machine, HasSubstr("Go, 12 cores pinned, medians"));
  EXPECT_THAT(published.rows, SizeIs(6 + 10));
  const Row& zstd = published.rows.front();
  EXPECT_EQ(zstd.framework, "zstd");
  EXPECT_EQ(zstd.Median("cores"), 1.59);
  EXPECT_EQ(zstd.Median("due_commit_p50_ms"), std::nullopt);
  EXPECT_NEAR(*zstd.Median("heap_stream"), 1.67 * 1024 * 1024, 1);
}

TEST(FanoutPublishedTest, WhatIsMissingOrForeignIsNamed) {
  const Scratch scratch;
  const auto error = [&] { return ErrorOf([&] { ReadFanoutPublished(scratch.path()); }); };
  EXPECT_THAT(error(), HasSubstr("machine.txt"));
  WriteFile(scratch / "machine.txt", "big one\n");
  EXPECT_THAT(error(), HasSubstr("no CSV file with rows in"));
  WriteFile(scratch / "board.csv", "row,qps\nBenchmarkQPS/a/clients:1,5\n");
  EXPECT_THAT(error(), HasSubstr("board.csv: BenchmarkQPS/a/clients:1 is no row of the fan-out"));
  WriteFile(scratch / "board.csv", "row,qps\nBenchmarkPush/a/streams:0,5\n");
  EXPECT_THAT(error(), HasSubstr("board.csv: \"streams:0\" is not"));
}

TEST(FanoutPublishedTest, IsFoundBesideTheRunOrAboveIt) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "published/fanout");
  std::filesystem::create_directories(scratch / "runs/one");
  EXPECT_EQ(FindPublished(scratch / "reference", "fanout"), scratch / "published/fanout");
  EXPECT_EQ(FindPublished(scratch / "runs/one/", "fanout"), scratch / "published/fanout");
  EXPECT_EQ(FindPublished(scratch / "runs/one", "nobody"), std::nullopt);
}

TEST(FanoutSummaryTest, SampleRunHasARowForEachRow) {
  const Scratch scratch;
  WriteSampleRun(scratch.path(), {.good = false});
  const rpcbench::Run run = ReadRun(scratch.path());
  const std::vector<RowSummaryFile> files = SummarizeFanout(run);
  ASSERT_THAT(files, SizeIs(3));
  EXPECT_EQ(files[0].name, "fanout/board.csv");
  EXPECT_EQ(files[1].name, "fanout/encoders.csv");
  EXPECT_EQ(files[2].name, "fanout/push.csv");
  const RowTable& board = files[0].table;
  EXPECT_EQ(board.counters.front(), "cores");
  EXPECT_THAT(board.counters, testing::Contains("cohorts"));
  const auto invalid = std::find(board.rows.begin(), board.rows.end(),
                                 "BenchmarkSharedBoard/brotli/full/per_stream/wire/streams:200");
  ASSERT_NE(invalid, board.rows.end());
  EXPECT_THAT(board.cells[static_cast<std::size_t>(invalid - board.rows.begin())],
              testing::Each(std::nullopt));
  WriteSummary(run);
  EXPECT_EQ(ReadRowCsv(scratch / "fanout/push.csv").rows, files[2].table.rows);
}

TEST(FanoutSummaryTest, OtherCountersFollowThoseThatPeopleLookFor) {
  rpcbench::Run run;
  run.rows = {MakeRow("BenchmarkSharedBoard/zstd/streams:1", 1)};
  run.rows[0].repeats[0].counters = {{"a", 1}, {"heap_stream", 2}, {"z", 3}, {"cores", 4}};
  run.rows[0].repeats.push_back({1, {{"a", 3}}});
  const RowTable table = SummarizeFanout(run).at(0).table;
  EXPECT_THAT(table.counters, ElementsAre("cores", "heap_stream", "a", "z"));
  EXPECT_THAT(table.cells.at(0), ElementsAre(4, 2, 2, 3));
}

}  // namespace
}  // namespace rpcbench
