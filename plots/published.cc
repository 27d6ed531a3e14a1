// Columns of the published tables become dashed, lighter series.
#include "plots/published.h"

#include <fmt/format.h>

#include <algorithm>

#include "echo/error.h"
#include "results/csv.h"
#include "results/files.h"

namespace rpcbench {
namespace {

// Whose figures they are. machine.txt is one line.
std::string NoteOf(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "machine.txt";
  std::string machine =
      std::filesystem::exists(file) ? ReadFile(file) : "a machine that its folder does not name";
  machine.erase(machine.find_last_not_of(" \n") + 1);
  return fmt::format("Dashed: published ({}), another machine and one process, not this run: {}",
                     std::filesystem::absolute(folder).lexically_normal().filename().string(),
                     machine);
}

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

struct Context {
  const Selection& selection;
  const std::string& note;
};

void Overlay(std::vector<Chart>& charts, const PublishedTable& published, const Table& table,
             const Context& context) {
  const auto chart = std::find_if(charts.begin(), charts.end(),
                                  [&](const Chart& one) { return one.name == published.chart; });
  if (chart == charts.end() || chart->series.empty()) return;
  for (std::size_t column = 0; column < table.frameworks.size(); ++column) {
    const bool one = published.file == "qps/qps.csv" && IsOneAtATime(table, column);
    if (one != (published.chart == "qps_one_at_a_time")) continue;
    const Series series = ColumnOf(table, column, *chart, context.selection);
    if (series.points.empty()) continue;
    chart->series.push_back(series);
    chart->published = context.note;
  }
}

}  // namespace

std::vector<PublishedTable> PublishedTables() {
  return {{"qps", "qps/qps.csv"},         {"qps_one_at_a_time", "qps/qps.csv"},
          {"fixed_sec", "fixed/sec.csv"}, {"fixed_cop", "fixed/cop.csv"},
          {"fixed_max", "fixed/max.csv"}, {"fixed_med", "fixed/med.csv"},
          {"fixed_min", "fixed/min.csv"}, {"fixed_p999", "fixed/p99.csv"},
          {"fixed_b", "fixed/b.csv"},     {"fixed_allocs", "fixed/allocs.csv"}};
}

void OverlayPublished(std::vector<Chart>& charts, const Selection& selection,
                      const std::filesystem::path& folder) {
  const std::string note = NoteOf(folder);
  bool any = false;
  for (const PublishedTable& published : PublishedTables()) {
    const std::filesystem::path file = folder / published.file;
    if (!std::filesystem::exists(file)) continue;
    any = true;
    Overlay(charts, published, ReadCsv(file), {selection, note});
  }
  if (!any) {
    throw Error("no published figures in " + folder.string() + ": neither " +
                PublishedTables().front().file.string() + " nor any of fixed/*.csv is there");
  }
}

}  // namespace rpcbench
