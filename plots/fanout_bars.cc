#include "plots/fanout_bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/fanout.h"

namespace rpcbench {

Chart BeginFanout(const FanoutTitle& title) {
  Chart chart;
  chart.name = title.name;
  chart.title = title.title;
  chart.missing = title.missing;
  return chart;
}

std::string FanoutColour(const Row& row) {
  return FanoutStyle(CodecOf(row.framework), false).colour;
}

std::string BarLabel(const Beside& beside, bool with_streams) {
  std::string label = FanoutLabel(*beside.row);
  if (beside.published) label = "published: " + label;
  const std::int64_t streams = beside.row->Parameter("streams");
  if (with_streams && streams > 0) {
    label += fmt::format(", {} stream{}", FormatNumber(static_cast<double>(streams)),
                         streams == 1 ? "" : "s");
  }
  return label;
}

std::optional<Bar> BarOf(const Beside& beside, const Quantity& quantity) {
  const std::optional<Point> point = PointOf(*beside.row, quantity, 0);
  if (!point) return std::nullopt;
  Bar bar;
  bar.label = BarLabel(beside);
  bar.value = point->y;
  bar.text = FormatNumber(bar.value);
  bar.parts = {{FanoutColour(*beside.row), 0, bar.value}};
  bar.range = point->range;
  bar.published = beside.published;
  return bar;
}

std::optional<Bar> PairOf(const Beside& beside, const Quantity& p50, const Quantity& p99) {
  const std::optional<Bar> middle = BarOf(beside, p50);
  std::optional<Bar> high = BarOf(beside, p99);
  if (high) high->parts[0].colour = Lighter(high->parts[0].colour, 0.6);
  if (!middle || !high) {
    std::optional<Bar> one = middle ? middle : high;
    if (one) one->text += middle ? " (p50)" : " (p99)";
    return one;
  }
  high->text = fmt::format("{} / {}", middle->text, high->text);
  high->parts.push_back(middle->parts[0]);
  return high;
}

std::vector<LegendEntry> PairLegend() {
  return {{"p50", "#555555"}, {"p99", "#bbbbbb"}};
}

void NamePublished(Chart& chart, const FanoutPublished* published) {
  const auto is_published = [](const auto& drawn) { return drawn.published; };
  if (published == nullptr || std::none_of(chart.bars.begin(), chart.bars.end(), is_published)) {
    return;
  }
  chart.published =
      "Hatched: published figures, another machine, not this run: " + published->machine;
}

}  // namespace rpcbench
