// Axes and order: what a chart needs before it can be drawn, whatever it shows.
#include "plots/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rpcbench {
namespace {

constexpr double kLogDecades = 1.5;

// 1, 2 or 5 times a power of ten, at least `value`.
double RoundUp(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= value * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

double RoundDown(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
  for (const double step : {5.0, 2.0}) {
    if (step * power <= value * (1 + 1e-9)) return step * power;
  }
  return power;
}

void FitLog(Axis& axis, double least, double most) {
  axis.low = RoundDown(least / 1.05);
  axis.high = RoundUp(most * 1.05);
  // Within a decade a whole step at each end would be mostly empty.
  if (most / least < 10) {
    axis.low = least / 1.1;
    axis.high = most * 1.1;
  }
  const double decades = std::log10(axis.high / axis.low);
  std::vector<double> labelled = {1};
  if (decades <= 3.1) labelled = {1, 2, 5};
  if (decades <= 1) labelled = {1, 1.5, 2, 3, 4, 5, 6, 8};
  const int first = static_cast<int>(std::floor(std::log10(axis.low) - 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high) + 1e-9));
  for (int exponent = first; exponent <= last; ++exponent) {
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
      const bool label = std::find(labelled.begin(), labelled.end(), step) != labelled.end();
      const double at = step * std::pow(10.0, exponent);
      const bool inside = at >= axis.low * (1 - 1e-9) && at <= axis.high * (1 + 1e-9);
      if (!inside || (step == 1.5 && !label)) continue;
      axis.ticks.emplace_back(at, label ? FormatNumber(at) : "");
    }
  }
}

void FitLinear(Axis& axis, double most) {
  if (most <= 0) most = 1;
  axis.low = 0;
  axis.high = most * 1.05;
  const double step = RoundUp(axis.high / 8);
  for (int index = 0; index * step <= axis.high; ++index) {
    axis.ticks.emplace_back(index * step, FormatNumber(index * step));
  }
}

std::vector<double> HeightsOf(const Chart& chart) {
  std::vector<double> heights;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      heights.push_back(point.y);
      if (!point.range) continue;
      heights.push_back(point.range->first);
      heights.push_back(point.range->second);
    }
  }
  for (const Reference& reference : chart.references) {
    for (const auto& [x, y] : reference.points) heights.push_back(y);
  }
  return heights;
}

void SortLegend(Chart& chart) {
  for (Series& series : chart.series) {
    std::sort(series.points.begin(), series.points.end(),
              [](const Point& a, const Point& b) { return a.x < b.x; });
  }
  std::stable_sort(chart.series.begin(), chart.series.end(), [](const Series& a, const Series& b) {
    if (a.published != b.published) return b.published;
    return a.points.back().y > b.points.back().y;
  });
}

void MoveAside(std::vector<Series>& series) {
  const double step = std::min(0.045, 0.4 / static_cast<double>(series.size()));
  double offset = -step * static_cast<double>(series.size() - 1) / 2;
  for (Series& one : series) {
    for (Point& point : one.points) point.x += offset;
    offset += step;
  }
}

}  // namespace

std::vector<double> BarPlaces(const std::vector<Bar>& bars) {
  constexpr double kGap = 0.45;
  std::vector<double> places;
  double place = 0;
  for (const Bar& bar : bars) {
    if (!places.empty()) place += bar.begins_group ? 1 + kGap : 1;
    places.push_back(place);
  }
  return places;
}

Reference Across(const std::vector<Bar>& bars, const std::string& label, double value) {
  const double last = bars.empty() ? 0 : BarPlaces(bars).back();
  return {.label = label, .points = {{value, -0.5}, {value, last + 0.5}}};
}

bool WantsLog(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *least > 0 && std::log10(*most / *least) > kLogDecades;
}

void FitAxis(Axis& axis, const std::vector<double>& values) {
  axis.ticks.clear();
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (most <= 0) axis.log = false;
  if (axis.log) axis.title += " (log)";
  axis.log ? FitLog(axis, least, most) : FitLinear(axis, most);
}

std::string FormatNumber(double value) {
  const double size = std::abs(value);
  if (size < 999.5) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  const std::ptrdiff_t first = value < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

void FinishLines(Chart& chart) {
  if (chart.series.empty()) return;
  const std::vector<double> heights = HeightsOf(chart);
  chart.y.log = WantsLog(heights);
  FitAxis(chart.y, heights);
  SortLegend(chart);
  MoveAside(chart.series);
  chart.x.low = -0.4;
  chart.x.high = static_cast<double>(chart.x.ticks.size()) - 0.6;
}

void FinishCurves(Chart& chart, bool log) {
  if (chart.series.empty()) return;
  const std::vector<double> heights = HeightsOf(chart);
  const auto [least, most] = std::minmax_element(heights.begin(), heights.end());
  chart.y.log = log && *most > 2 * *least;
  FitAxis(chart.y, heights);
  SortLegend(chart);
}

void FinishBars(Chart& chart) {
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value > b.value; });
  FitBars(chart);
}

void FitBars(Chart& chart) {
  std::vector<double> values;
  for (const Bar& bar : chart.bars) {
    for (const Bar::Part& part : bar.parts) values.push_back(part.to);
    if (bar.range) values.push_back(bar.range->second);
  }
  for (const Reference& reference : chart.references) {
    for (const auto& [x, y] : reference.points) values.push_back(x);
  }
  FitAxis(chart.x, values);
}

}  // namespace rpcbench
