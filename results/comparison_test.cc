#include "results/comparison.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "results/name.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Row MakeRow(const std::string& name, const std::string& counter, std::vector<double> values) {
  Row row = ParseRowName(name);
  for (const double value : values) row.repeats.push_back({0, {{counter, value}}});
  return row;
}

rpcbench::Run RunOf(std::vector<Row> rows) {
  rpcbench::Run run;
  run.manifest = nlohmann::json::object();
  run.rows = std::move(rows);
  return run;
}

// The texts or figures of one column.
template <class T>
std::vector<T> Cells(const Block& block, const std::string& id) {
  std::vector<T> cells;
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    if (block.columns[i].id != id) continue;
    for (const auto& row : block.rows) cells.push_back(std::get<T>(row[i]));
  }
  return cells;
}

std::vector<std::string> Ids(const Report& report) {
  std::vector<std::string> ids;
  for (const Block& block : report.blocks) ids.push_back(block.id);
  return ids;
}

TEST(VerdictTest, SaysFasterOnlyWhereRangesDoNotTouch) {
  EXPECT_EQ(Verdict({1, 2, 3}, {4, 5, 6}, true), "faster");
  EXPECT_EQ(Verdict({1, 2, 3}, {4, 5, 6}, false), "slower");
  EXPECT_EQ(Verdict({4, 5, 6}, {1, 2, 3}, true), "slower");
  EXPECT_EQ(Verdict({4, 5, 6}, {1, 2, 3}, false), "faster");
  EXPECT_EQ(Verdict({1, 2, 3}, {3, 4, 5}, true), "same within spread");
  EXPECT_EQ(Verdict({1, 1, 1}, {1, 1, 1}, true), "same within spread");
  EXPECT_EQ(Verdict({1, 2}, {4, 5, 6}, true), "too few repeats");
  EXPECT_EQ(Verdict({1, 2, 3}, {}, true), "not measured");
}

TEST(DescribeTest, SampleRun) {
  const Scratch scratch;
  WriteSampleRun(scratch.path(), {.good = false});
  const Report report = Describe(ReadRun(scratch.path()), {});
  EXPECT_THAT(Ids(report),
              ElementsAre("qps", "qps_one_at_a_time", "fixed", "fixed_small", "hol", "board",
                          "board_levels", "heap_per_stream", "push", "connect"));
  const Block& qps = report.blocks[0];
  EXPECT_EQ(qps.title, "QPS, 2000 in flight over 16 clients");
  EXPECT_THAT(qps.rows, SizeIs(10)) << "15 less 4 that carry one call, less one that is invalid";
  const auto ranked = Cells<double>(qps, "qps");
  EXPECT_TRUE(std::is_sorted(ranked.rbegin(), ranked.rend()));
  EXPECT_THAT(Cells<double>(qps, "ratio"), testing::Contains(1.0));
  EXPECT_THAT(report.blocks[1].rows, SizeIs(4));
  EXPECT_THAT(report.blocks[4].rows, SizeIs(15));
  EXPECT_FALSE(report.good);
  EXPECT_THAT(report.verdict, HasSubstr("not good (exit status 1): rows invalid 2, failed 1"));
  EXPECT_THAT(ToText(report), HasSubstr("invalid: the client's thread was 97 % busy"));
  EXPECT_THAT(report.left_out, SizeIs(61));
}

TEST(DescribeTest, FanoutHasPublishedFiguresInLinesOfTheirOwn) {
  Row zstd = MakeRow("BenchmarkSharedBoard/zstd/full/cohort/sink/streams:200", "cores", {0.5});
  zstd.repeats[0].counters["encode_cores"] = 0.1;
  zstd.repeats[0].counters["heap_stream"] = 2 * 1024 * 1024;
  const Row brotli =
      MakeRow("BenchmarkSharedBoard/brotli/full/cohort/sink/streams:200", "cores", {2});
  const FanoutPublished published{
      "a big one",
      {MakeRow("BenchmarkSharedBoard/zstd/per_stream/streams:200", "cores", {1.59}),
       MakeRow("BenchmarkBoardLevels/zstd_better", "cores", {3})}};
  const Report report = Describe(RunOf({zstd, brotli}), {}, &published);
  ASSERT_THAT(Ids(report), ElementsAre("board")) << "no block of published figures alone";
  const Block& board = report.blocks[0];
  EXPECT_THAT(Cells<std::string>(board, "label"),
              ElementsAre("zstd, FULL, cohort, sink", "published: zstd, per stream",
                          "brotli, FULL, cohort, sink"));
  EXPECT_THAT(Cells<std::string>(board, "source"), ElementsAre("run", "published", "run"));
  EXPECT_THAT(Cells<double>(board, "cores"), ElementsAre(0.5, 1.59, 2));
  EXPECT_EQ(std::get<double>(board.rows[0][5]), 0.1) << "encode cores";
  EXPECT_THAT(board.note, HasSubstr("a big one"));
  for (const std::string& text : {ToText(report), ToMarkdown(report), ToJson(report)}) {
    EXPECT_THAT(text, HasSubstr("published: zstd, per stream"));
    EXPECT_THAT(text, HasSubstr("1.59"));
  }
  EXPECT_THAT(ToText(report), testing::Not(HasSubstr("cohorts"))) << "no row has that figure";
  EXPECT_THAT(DescribeFanout(RunOf({}), &published), IsEmpty());
}

TEST(DescribeTest, PushIsSetAgainstNchanAtTheSameNumberOfStreams) {
  const auto run = RunOf({MakeRow("BenchmarkPush/sse/streams:10", "server_us_event", {6}),
                          MakeRow("BenchmarkPush/nchan/streams:10", "server_us_event", {8}),
                          MakeRow("BenchmarkPush/sse/streams:20", "server_us_event", {6})});
  const std::vector<Block> blocks = DescribeFanout(run, nullptr);
  ASSERT_THAT(blocks, SizeIs(1));
  ASSERT_THAT(blocks[0].rows, SizeIs(3));
  EXPECT_EQ(std::get<double>(blocks[0].rows[0].back()), 0.75);
  EXPECT_EQ(std::get<double>(blocks[0].rows[1].back()), 1);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(blocks[0].rows[2].back()));
}

TEST(DescribeTest, ConditionChoosesRows) {
  const Scratch scratch;
  WriteSampleRun(scratch.path());
  const rpcbench::Run run = ReadRun(scratch.path());
  EXPECT_EQ(Describe(run, {2, 32'000}).blocks[0].title, "QPS, 32000 in flight over 2 clients");
  EXPECT_EQ(Describe(run, {std::nullopt, 250}).blocks[0].title, "QPS, 250 in flight over 4 clients")
      << "the most clients that this load was run with";
  EXPECT_THAT(Describe(run, {16, 250}).warnings, ElementsAre(HasSubstr("there are clients: 4")));
  EXPECT_TRUE(Describe(run, {}).good) << "skipped rows are by design";
  EXPECT_THAT(ErrorOf([&] {
                CheckCondition({run}, {3, std::nullopt});
              }),
              HasSubstr("--clients 3: no row has it; there are: 1, 2, 4, 8, 16"));
  EXPECT_THAT(ErrorOf([&] {
                CheckCondition({run}, {std::nullopt, 3});
              }),
              HasSubstr("--in-flight 3"));
  EXPECT_EQ(ErrorOf([&] { CheckCondition({run}, {16, 2000}); }), "");
}

TEST(DescribeTest, AllocationsComeFromFixedOrElseFromQps) {
  Row qps = MakeRow("BenchmarkQPS/a/clients:2/in_flight:2000", "qps", {5});
  qps.repeats[0].counters["client_allocs"] = 1;
  qps.repeats[0].counters["server_allocs"] = 2;
  EXPECT_THAT(Cells<double>(Describe(RunOf({qps}), {}).blocks[0], "allocs"), ElementsAre(3));
  Row fixed = MakeRow("BenchmarkFixed/a/clients:2", "client_allocs", {10});
  fixed.repeats[0].counters["server_allocs"] = 20;
  EXPECT_THAT(Cells<double>(Describe(RunOf({qps, fixed}), {}).blocks[0], "allocs"),
              ElementsAre(30));
}

TEST(DescribeTest, NothingMeasuredIsNoBlock) {
  const Report report = Describe(RunOf({}), {});
  EXPECT_THAT(report.blocks, IsEmpty());
  EXPECT_TRUE(report.good);
  EXPECT_THAT(report.head, ElementsAre(HasSubstr("no manifest")));
}

TEST(CompareTest, EachRowHasItsVerdict) {
  const auto a = RunOf({MakeRow("BenchmarkQPS/a/clients:1/in_flight:9", "qps", {10, 11, 12}),
                        MakeRow("BenchmarkQPS/b/clients:1/in_flight:9", "qps", {10, 11}),
                        MakeRow("BenchmarkFixed/a/clients:1", "sec", {4, 4, 5}),
                        MakeRow("BenchmarkFixed/gone/clients:1", "sec", {4, 4, 5})});
  const auto b = RunOf({MakeRow("BenchmarkQPS/a/clients:1/in_flight:9", "qps", {20, 22, 24}),
                        MakeRow("BenchmarkQPS/b/clients:1/in_flight:9", "qps", {30, 31, 32}),
                        MakeRow("BenchmarkFixed/a/clients:1", "sec", {8, 8, 8}),
                        MakeRow("BenchmarkFixed/fresh/clients:1", "sec", {4, 4, 5})});
  const Report report = Compare(a, b, {});
  ASSERT_THAT(Ids(report), ElementsAre("BenchmarkQPS/clients:1/in_flight:9",
                                       "BenchmarkFixed/clients:1", "one_run_only"));
  EXPECT_THAT(Cells<std::string>(report.blocks[0], "verdict"),
              ElementsAre("faster", "too few repeats"));
  EXPECT_THAT(Cells<double>(report.blocks[0], "ratio"), ElementsAre(2.0, 31 / 10.5));
  EXPECT_THAT(Cells<std::string>(report.blocks[1], "verdict"), ElementsAre("slower"));
  EXPECT_THAT(Cells<double>(report.blocks[1], "a_low"), ElementsAre(4.0));
  EXPECT_THAT(Cells<double>(report.blocks[1], "a_high"), ElementsAre(5.0));
  EXPECT_THAT(Cells<std::string>(report.blocks[2], "row"),
              ElementsAre("BenchmarkFixed/gone/clients:1", "BenchmarkFixed/fresh/clients:1"));
}

TEST(CompareTest, AGateIsPassedOnlyByWhatIsLargeAndSignificant) {
  const auto run = [](std::vector<double> qps, std::vector<double> seconds) {
    return RunOf({MakeRow("BenchmarkQPS/a/clients:1/in_flight:9", "qps", std::move(qps)),
                  MakeRow("BenchmarkFixed/a/clients:1", "sec", std::move(seconds))});
  };
  const std::vector<double> qps{100, 101, 102, 103, 104};
  const std::vector<double> sec{4, 4.01, 4.02, 4.03, 4.04};
  const auto compared = [&](std::vector<double> new_qps, std::vector<double> new_sec, double gate) {
    return Compare(run(qps, sec), run(std::move(new_qps), std::move(new_sec)), {}, gate);
  };
  const Report slower = compared({80, 81, 82, 83, 84}, {5, 5.01, 5.02, 5.03, 5.04}, 0.05);
  EXPECT_FALSE(slower.good);
  ASSERT_THAT(Ids(slower), testing::Contains("regressions"));
  EXPECT_THAT(Cells<std::string>(slower.blocks[2], "row"),
              ElementsAre("BenchmarkQPS/a/clients:1/in_flight:9", "BenchmarkFixed/a/clients:1"));
  const auto change = Cells<double>(slower.blocks[2], "change_percent");
  EXPECT_NEAR(change[0], -19.6, 0.1);
  EXPECT_NEAR(change[1], 24.9, 0.1);
  EXPECT_TRUE(compared({80, 81, 82, 83, 84}, sec, 0.25).good) << "smaller than the gate";
  EXPECT_TRUE(compared({120, 121, 122, 123, 124}, {3, 3, 3, 3, 3}, 0.05).good) << "better";
  EXPECT_TRUE(compared({60, 70, 101, 110, 120}, sec, 0).good) << "not sure";
  EXPECT_TRUE(compared({80, 81, 82}, sec, 0.05).good == false) << "three against five can be sure";
  EXPECT_TRUE(Compare(run(qps, sec), run({80, 81, 82, 83, 84}, sec), {}).good) << "no gate";
}

TEST(CompareTest, TwoSpeedsAreNoted) {
  const auto run = [](std::vector<double> qps) {
    return RunOf({MakeRow("BenchmarkQPS/a/clients:1/in_flight:9", "qps", std::move(qps))});
  };
  const Report report = Compare(run({10, 10, 10, 20, 20}), run({10, 11, 12, 13, 14}), {});
  EXPECT_THAT(Cells<std::string>(report.blocks[0], "note"), ElementsAre("A has two speeds"));
}

TEST(CompareTest, FanoutRowsAreComparedCounterByCounter) {
  const std::string name = "BenchmarkSharedBoard/zstd/full/cohort/sink/streams:200";
  const auto run = [&](double factor) {
    Row row = MakeRow(name, "cores", {1 * factor, 1.01 * factor, 1.02 * factor});
    for (Repeat& repeat : row.repeats) repeat.counters["bytes_frame"] = 1400;
    return RunOf({row, MakeRow("BenchmarkPush/sse/streams:20", "server_us_event", {6, 6, 6})});
  };
  const Report report = Compare(run(1), run(0.5), {});
  ASSERT_THAT(Ids(report),
              ElementsAre("BenchmarkSharedBoard/cores", "BenchmarkSharedBoard/bytes_frame",
                          "BenchmarkPush/server_us_event"));
  EXPECT_THAT(Cells<std::string>(report.blocks[0], "verdict"), ElementsAre("better"));
  EXPECT_THAT(Cells<std::string>(report.blocks[0], "label"),
              ElementsAre("zstd, FULL, cohort, sink, 200 streams"));
  EXPECT_THAT(Cells<std::string>(report.blocks[1], "verdict"), ElementsAre("same within spread"));
  EXPECT_THAT(Cells<std::string>(Compare(run(1), run(2), {}).blocks[0], "verdict"),
              ElementsAre("worse"));
}

TEST(CompareTest, BadRowsOfEitherRunAreListedAndNotCompared) {
  const auto a = RunOf({MakeRow("BenchmarkFixed/a/clients:1", "sec", {4, 4, 5})});
  auto b = a;
  b.rows[0].status = RowStatus::kFailed;
  b.rows[0].reason = "gone";
  const Report report = Compare(a, b, {});
  EXPECT_THAT(report.blocks, IsEmpty());
  ASSERT_THAT(report.left_out, SizeIs(1));
  EXPECT_EQ(report.left_out[0].run, "B");
  EXPECT_FALSE(report.good);
}

TEST(CompareTest, WarnsOfWhatElseDiffers) {
  auto a = RunOf({});
  auto b = RunOf({});
  a.manifest = {{"commit", "1"}, {"machine", {{"cores", 2}}}, {"profile", "quick"}};
  b.manifest = {{"commit", "2"}, {"machine", {{"cores", 4}}}};
  EXPECT_THAT(Compare(a, b, {}).warnings,
              ElementsAre(HasSubstr("machine differs: A {\"cores\":2}; B {\"cores\":4}"),
                          HasSubstr("commit differs: A 1; B 2"),
                          HasSubstr("profile differs: A quick; B not said")));
  EXPECT_THAT(Compare(a, a, {}).warnings, IsEmpty());
}

}  // namespace
}  // namespace rpcbench
