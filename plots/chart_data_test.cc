// Which rows become which points: the sample run, and small runs made by hand.
#include "plots/chart_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "plots/draw.h"
#include "results/sample_run.h"
#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const Chart& Named(const std::vector<Chart>& charts, const std::string& name) {
  return *std::find_if(charts.begin(), charts.end(),
                       [&](const Chart& chart) { return chart.name == name; });
}

Row RowOf(const std::string& framework, std::int64_t clients, std::vector<double> qps) {
  Row row;
  row.family = "BenchmarkQPS";
  row.framework = framework;
  row.file = "qps/benchmark.json";
  row.parameters = {{"clients", clients}, {"in_flight", 2000}};
  for (const double value : qps) row.repeats.push_back({.index = 0, .counters = {{"qps", value}}});
  return row;
}

class SampleCharts : public testing::Test {
 protected:
  SampleCharts() {
    SampleOptions options;
    options.repeats = 3;
    options.good = false;
    WriteSampleRun(folder_.path(), options);
    run_ = ReadRun(folder_.path());
  }
  Scratch folder_;
  rpcbench::Run run_;
};

TEST(ChartDataTest, DrawsTheMedianAndFromThreeRepeatsOnTheRange) {
  rpcbench::Run run;
  run.rows = {RowOf("a", 1, {30, 10, 20}), RowOf("a", 2, {30, 10})};
  const std::vector<Chart> charts = ChartsOf(run);
  const Chart& chart = Named(charts, "qps");
  ASSERT_THAT(chart.series, SizeIs(1));
  ASSERT_THAT(chart.series[0].points, SizeIs(2));
  EXPECT_EQ(chart.series[0].points[0].y, 20);
  EXPECT_EQ(chart.series[0].points[0].range, Range({10, 30}));
  EXPECT_EQ(chart.series[0].points[1].y, 20);
  EXPECT_EQ(chart.series[0].points[1].range, std::nullopt);
}

TEST(ChartDataTest, NamesAndDoesNotDrawWhatIsNotValid) {
  rpcbench::Run run;
  run.rows = {RowOf("a", 1, {10}), RowOf("a", 2, {20}), RowOf("b", 1, {30})};
  run.rows[1].status = RowStatus::kInvalid;
  run.rows[1].reason = "the client was busy";
  run.rows[2].status = RowStatus::kSkipped;
  run.rows[2].reason = "one at a time";
  const std::vector<Chart> charts = ChartsOf(run);
  const Chart& chart = Named(charts, "qps");
  ASSERT_THAT(chart.series, SizeIs(1));
  EXPECT_THAT(chart.series[0].points, SizeIs(1));
  EXPECT_THAT(chart.notes, ElementsAre("Invalid: a at clients 2: the client was busy",
                                       "Skipped: b: one at a time"));
}

TEST(ChartDataTest, KeepsVariantsApart) {
  rpcbench::Run run;
  run.rows = {RowOf("a", 1, {10}), RowOf("a", 1, {20})};
  run.rows[1].variant = "delay_source:native";
  const std::vector<Chart> charts = ChartsOf(run);
  const Chart& chart = Named(charts, "qps");
  ASSERT_THAT(chart.series, SizeIs(2));
  EXPECT_EQ(chart.series[0].label, "a (delay_source:native)");
  EXPECT_EQ(chart.series[0].style.colour, chart.series[1].style.colour);
  EXPECT_NE(chart.series[0].style.dash, chart.series[1].style.dash);
}

TEST(ChartDataTest, HasChartsWithoutRowsForAnEmptyRun) {
  for (const Chart& chart : ChartsOf(rpcbench::Run{})) {
    EXPECT_EQ(chart.rows, 0u) << chart.name;
    EXPECT_FALSE(IsDrawable(chart)) << chart.name;
    EXPECT_FALSE(chart.missing.empty()) << chart.name;
  }
}

TEST_F(SampleCharts, NeverMixesLoads) {
  const std::vector<Chart> charts = ChartsOf(run_);
  for (const char* name : {"qps", "qps_burst", "fixed_sec", "latency"}) {
    for (const Series& series : Named(charts, name).series) {
      EXPECT_THAT(series.framework, testing::Not(HasSubstr("thrift"))) << name;
    }
  }
  for (const char* name : {"qps_one_at_a_time", "qps_burst_one_at_a_time", "fixed_small_sec"}) {
    EXPECT_THAT(Named(charts, name).series, SizeIs(4)) << name;
  }
}

TEST_F(SampleCharts, GivesAFrameworkTheSameStyleEverywhere) {
  std::map<std::string, std::set<std::pair<std::string, int>>> styles;
  for (const Chart& chart : ChartsOf(run_)) {
    if (chart.name.starts_with("fanout_")) continue;
    for (const Series& series : chart.series) {
      styles[series.framework].insert({series.style.colour, series.style.point});
    }
  }
  EXPECT_THAT(styles, SizeIs(15));
  std::set<std::string> colours;
  for (const auto& [framework, looks] : styles) {
    EXPECT_THAT(looks, SizeIs(1)) << framework;
    colours.insert(looks.begin()->first);
  }
  EXPECT_THAT(colours, SizeIs(15));
}

TEST_F(SampleCharts, StacksCpuBySideAndSortsIt) {
  const std::vector<Chart> charts = ChartsOf(run_);
  const Chart& chart = Named(charts, "cpu");
  ASSERT_FALSE(chart.bars.empty());
  EXPECT_TRUE(std::is_sorted(chart.bars.begin(), chart.bars.end(),
                             [](const Bar& a, const Bar& b) { return a.value > b.value; }));
  for (const Bar& bar : chart.bars) {
    ASSERT_THAT(bar.parts, SizeIs(4)) << bar.label;
    EXPECT_EQ(bar.parts[2].from, bar.parts[1].to);
    EXPECT_EQ(bar.parts[3].to, bar.value);
  }
}

TEST_F(SampleCharts, DrawsTheCeilings) {
  const std::vector<Chart> charts = ChartsOf(run_);
  const Chart& hol = Named(charts, "hol_ceiling");
  ASSERT_THAT(hol.references, SizeIs(1));
  EXPECT_NEAR(hol.references[0].points[0].first, 1 / 0.030, 1);
  EXPECT_THAT(hol.notes, ElementsAre(HasSubstr("the server ended with status 134")));
  const Chart& sweep = Named(charts, "qps_in_flight");
  EXPECT_TRUE(sweep.x.log && sweep.y.log);
  EXPECT_THAT(sweep.references, SizeIs(1));
}

TEST_F(SampleCharts, OverlaysPublishedFiguresOfTheSameMeaningOnly) {
  const std::vector<Chart> charts = ChartsOf(run_, std::filesystem::path(RPCBENCH_PUBLISHED));
  std::set<std::string> overlaid;
  for (const Chart& chart : charts) {
    for (const Series& series : chart.series) {
      if (series.published) overlaid.insert(chart.name);
    }
    EXPECT_EQ(overlaid.contains(chart.name), !chart.published.empty()) << chart.name;
  }
  EXPECT_THAT(overlaid,
              ElementsAre("fixed_allocs", "fixed_b", "fixed_cop", "fixed_max", "fixed_med",
                          "fixed_min", "fixed_p999", "fixed_sec", "qps", "qps_one_at_a_time"));
  EXPECT_THAT(Named(charts, "qps").published, HasSubstr("Ryzen"));
  EXPECT_THAT(Named(charts, "qps").published, HasSubstr("another machine and one process"));
  const auto& one = Named(charts, "qps_one_at_a_time").series;
  EXPECT_EQ(one.back().framework, "drpc_tcp_protobuf");
}

TEST_F(SampleCharts, SaysWhereNoPublishedFiguresAre) {
  EXPECT_THAT(ErrorOf([&] { ChartsOf(run_, folder_.path()); }), HasSubstr(folder_.path().string()));
}

}  // namespace
}  // namespace rpcbench
