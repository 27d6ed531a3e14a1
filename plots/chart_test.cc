#include "plots/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

std::vector<std::string> LabelsOf(const Axis& axis) {
  std::vector<std::string> labels;
  for (const auto& [at, label] : axis.ticks) {
    if (!label.empty()) labels.push_back(label);
  }
  return labels;
}

TEST(WantsLogTest, TakesMoreThanOneAndAHalfDecades) {
  EXPECT_FALSE(WantsLog({}));
  EXPECT_FALSE(WantsLog({1, 31}));
  EXPECT_TRUE(WantsLog({1, 32}));
  EXPECT_FALSE(WantsLog({0, 1000}));
}

TEST(FitAxisTest, BeginsALinearAxisAtZero) {
  Axis axis;
  FitAxis(axis, {0.31, 0.7});
  EXPECT_EQ(axis.low, 0);
  EXPECT_GT(axis.high, 0.7);
  EXPECT_EQ(LabelsOf(axis).front(), "0");
  EXPECT_EQ(LabelsOf(axis).back(), "0.7");
}

TEST(FitAxisTest, LabelsDecadesOfALogAxisAndSaysThatItIsOne) {
  Axis axis;
  axis.title = "Calls a second";
  axis.log = true;
  FitAxis(axis, {30, 900'000});
  EXPECT_THAT(LabelsOf(axis),
              testing::ElementsAre("100", "1,000", "10,000", "100,000", "1,000,000"));
  EXPECT_EQ(axis.title, "Calls a second (log)");
}

TEST(FitAxisTest, SurvivesZerosAndNothing) {
  Axis axis;
  axis.log = true;
  FitAxis(axis, {0});
  EXPECT_FALSE(axis.log);
  EXPECT_LT(axis.low, axis.high);
}

TEST(FormatNumberTest, GroupsThousandsAndKeepsThreeDigits) {
  EXPECT_EQ(FormatNumber(0.03041), "0.0304");
  EXPECT_EQ(FormatNumber(999.6), "1,000");
  EXPECT_EQ(FormatNumber(66'666.7), "66,667");
  EXPECT_EQ(FormatNumber(-1234567), "-1,234,567");
}

TEST(FitBarsTest, KeepsTheOrderAndSetsGroupsApart) {
  Chart chart;
  chart.bars.resize(3);
  chart.bars[1].value = 5;
  chart.bars[1].parts = {{"#000000", 0, 5}};
  chart.bars[2].begins_group = true;
  FitBars(chart);
  EXPECT_EQ(chart.bars[1].value, 5);
  EXPECT_GT(chart.x.high, 5);
  const std::vector<double> places = BarPlaces(chart.bars);
  EXPECT_EQ(places[1], 1);
  EXPECT_GT(places[2], 2);
  const Reference line = Across(chart.bars, "limit", 3);
  EXPECT_EQ(line.points[0], std::pair(3.0, -0.5));
  EXPECT_EQ(line.points[1], std::pair(3.0, places[2] + 0.5));
}

TEST(FinishLinesTest, OrdersTheLegendAsTheLinesEndAndPublishedLast) {
  Chart chart;
  chart.x.ticks = {{0, "1"}, {1, "2"}};
  const auto add = [&](const std::string& label, double end, bool published) {
    Series series;
    series.label = label;
    series.published = published;
    series.points = {{.x = 1, .y = end, .range = {}}, {.x = 0, .y = 1, .range = {}}};
    chart.series.push_back(series);
  };
  add("low", 2, false);
  add("high", 9, false);
  add("published", 20, true);
  FinishLines(chart);
  EXPECT_EQ(chart.series[0].label, "high");
  EXPECT_EQ(chart.series[1].label, "low");
  EXPECT_EQ(chart.series[2].label, "published");
  EXPECT_LT(chart.series[0].points[0].x, chart.series[1].points[0].x);
  EXPECT_GT(chart.y.high, 20);
}

}  // namespace
}  // namespace rpcbench
