// Columns of the published tables become dashed, lighter series.
#include "plots/published.h"

#include <algorithm>

#include "results/published.h"

namespace rpcbench {
namespace {

std::optional<double> PlaceOf(const Chart& chart, std::int64_t clients) {
  for (const auto& [at, label] : chart.x.ticks) {
    if (label == std::to_string(clients)) return at;
  }
  return std::nullopt;
}

Series ColumnOf(const Table& table, std::size_t column, const Chart& chart,
                const Selection& selection) {
  Series series{.framework = table.frameworks[column],
                .label = table.frameworks[column],
                .style = selection.PublishedStyle(table.frameworks[column], column),
                .published = true,
                .points = {}};
  for (std::size_t row = 0; row < table.clients.size(); ++row) {
    const std::optional<double> x = PlaceOf(chart, table.clients[row]);
    const std::optional<double>& y = table.cells[row][column];
    if (x && y) series.points.push_back({.x = *x, .y = *y, .range = {}});
  }
  return series;
}

// The published QPS at 1/30 ms a connection are of frameworks that carry one call at a time.
bool IsOneAtATime(const Table& table, std::size_t column) {
  constexpr double kDelay = 0.030;
  for (std::size_t row = 0; row < table.clients.size(); ++row) {
    const std::optional<double>& qps = table.cells[row][column];
    if (qps && *qps > 1.1 * static_cast<double>(table.clients[row]) / kDelay) return false;
  }
  return true;
}

void Overlay(std::vector<Chart>& charts, const PublishedTable& published, const Table& table,
             const Selection& selection) {
  const auto chart = std::find_if(charts.begin(), charts.end(),
                                  [&](const Chart& one) { return one.name == published.chart; });
  if (chart == charts.end() || chart->series.empty()) return;
  for (std::size_t column = 0; column < table.frameworks.size(); ++column) {
    const bool one = published.table == "qps/qps" && IsOneAtATime(table, column);
    if (one != (published.chart == "qps_one_at_a_time")) continue;
    const Series series = ColumnOf(table, column, *chart, selection);
    if (series.points.empty()) continue;
    chart->series.push_back(series);
  }
}

}  // namespace

std::vector<PublishedTable> PublishedTables() {
  return {{"qps", "qps/qps"},         {"qps_one_at_a_time", "qps/qps"},
          {"fixed_sec", "fixed/sec"}, {"fixed_cop", "fixed/cop"},
          {"fixed_max", "fixed/max"}, {"fixed_med", "fixed/med"},
          {"fixed_min", "fixed/min"}, {"fixed_p999", "fixed/p99"},
          {"fixed_b", "fixed/b"},     {"fixed_allocs", "fixed/allocs"}};
}

void OverlayPublished(std::vector<Chart>& charts, const Selection& selection,
                      const std::filesystem::path& folder) {
  const Published published = ReadPublished(folder);
  for (const PublishedTable& place : PublishedTables()) {
    const auto table = published.tables.find(place.table);
    if (table != published.tables.end()) Overlay(charts, place, table->second, selection);
  }
  for (Chart& chart : charts) {
    const auto is_published = [](const Series& series) { return series.published; };
    if (std::none_of(chart.series.begin(), chart.series.end(), is_published)) continue;
    chart.published = "Dashed: published figures, another machine and one process, not this run: " +
                      published.machine;
  }
}

}  // namespace rpcbench
