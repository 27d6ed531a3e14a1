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
  EXPECT_THAT(Ids(report), ElementsAre("qps", "qps_one_at_a_time", "fixed", "fixed_small", "hol"));
  const Block& qps = report.blocks[0];
  EXPECT_EQ(qps.title, "QPS, 2000 in flight over 16 clients");
  EXPECT_THAT(qps.rows, SizeIs(10)) << "15 less 4 that carry one call, less one that is invalid";
  const auto ranked = Cells<double>(qps, "qps");
  EXPECT_TRUE(std::is_sorted(ranked.rbegin(), ranked.rend()));
  EXPECT_THAT(Cells<double>(qps, "ratio"), testing::Contains(1.0));
  EXPECT_THAT(report.blocks[1].rows, SizeIs(4));
  EXPECT_THAT(report.blocks[4].rows, SizeIs(15));
  EXPECT_FALSE(report.good);
  EXPECT_THAT(report.verdict, HasSubstr("not good (exit status 1): rows invalid 1, failed 1"));
  EXPECT_THAT(ToText(report), HasSubstr("invalid: the client's thread was 97 % busy"));
  EXPECT_THAT(report.left_out, SizeIs(58));
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
  EXPECT_THAT(Cells<double>(report.blocks[1], "a_spread_percent"), ElementsAre(25.0));
  EXPECT_THAT(Cells<std::string>(report.blocks[2], "row"),
              ElementsAre("BenchmarkFixed/gone/clients:1", "BenchmarkFixed/fresh/clients:1"));
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
