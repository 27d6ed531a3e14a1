// Charts with connections along the x axis and one line a framework: the published suite's nine and
// their kin.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "plots/chart_data.h"

namespace rpcbench {
namespace {

constexpr std::int64_t kPublishedInFlight = 2000;
constexpr std::int64_t kLargeInFlight = 32000;

struct LineSpec {
  std::string name;
  std::string title;
  std::string y_title;
  std::string missing;
  std::function<bool(const Row&)> takes;
  Quantity quantity;
};

Chart Select(const Selection& selection, const LineSpec& spec) {
  const std::vector<const Row*> rows = selection.Rows(spec.takes);
  Chart chart;
  chart.name = spec.name;
  chart.title = spec.title;
  chart.x.title = "Clients (connections)";
  chart.y.title = spec.y_title;
  chart.missing = spec.missing;
  chart = selection.Begin(std::move(chart), rows);

  std::set<std::int64_t> clients;
  for (const Row* row : rows) clients.insert(row->Parameter("clients"));
  for (const std::int64_t count : clients) {
    chart.x.ticks.emplace_back(static_cast<double>(chart.x.ticks.size()), std::to_string(count));
  }
  for (const Row* row : rows) {
    const auto place = clients.find(row->Parameter("clients"));
    const auto x = static_cast<double>(std::distance(clients.begin(), place));
    const std::optional<Point> point = PointOf(*row, spec.quantity, x);
    if (point) selection.AddPoint(chart, *row, *point);
  }
  return chart;
}

LineSpec QpsSpec(const std::string& name, const std::string& title,
                 std::function<bool(const Row&)> takes) {
  return {.name = name,
          .title = title,
          .y_title = "Calls a second",
          .missing = "a run of qps with such rows",
          .takes = std::move(takes),
          .quantity = {{"qps"}, 1}};
}

void AddCeiling(Chart& chart, std::int64_t in_flight, double delay) {
  if (chart.series.empty()) return;
  const double ceiling = static_cast<double>(in_flight) / delay;
  chart.references.push_back(
      {.label = fmt::format("{} in flight / {:.3g} ms delay", FormatNumber(in_flight), delay * 1e3),
       .points = {{-0.4, ceiling}, {static_cast<double>(chart.x.ticks.size()) - 0.6, ceiling}}});
}

void AddQps(std::vector<Chart>& charts, const Selection& selection) {
  for (const std::int64_t in_flight : {kPublishedInFlight, kLargeInFlight}) {
    const bool main = in_flight == kPublishedInFlight;
    charts.push_back(Select(
        selection, QpsSpec(main ? "qps" : fmt::format("qps_in_flight_{}", in_flight),
                           fmt::format("QPS with {} calls in flight", FormatNumber(in_flight)),
                           [in_flight](const Row& row) {
                             return IsQps(row) && row.Parameter("in_flight") == in_flight;
                           })));
    AddCeiling(charts.back(), in_flight, selection.DelaySeconds());
  }
  charts.push_back(
      Select(selection, QpsSpec("qps_one_at_a_time",
                                "QPS with one call in flight on each connection", IsOneAtATime)));
  // A burst's size depends on what a connection carries.
  for (const bool one : {false, true}) {
    charts.push_back(Select(
        selection,
        QpsSpec(one ? "qps_burst_one_at_a_time" : "qps_burst",
                one ? "QPS when all calls are sent at once, one at a time on a connection"
                    : "QPS when all calls are sent at once",
                [&selection, one](const Row& row) {
                  return row.family == "BenchmarkQPSBurst" && selection.CarriesOne(row) == one;
                })));
  }
}

struct FixedChart {
  const char* name;
  const char* title;
  const char* y_title;
  Quantity quantity;
};

std::vector<FixedChart> FixedCharts() {
  return {
      {"sec", "elapsed time", "Seconds for all calls", {{"sec"}, 1}},
      {"cop", "mean latency", "Mean latency, seconds", {{"mean_s"}, 1}},
      {"max", "longest latency", "Longest latency, seconds", {{"max_s"}, 1}},
      {"med", "median latency", "Median latency, seconds", {{"p50_s"}, 1}},
      {"min", "shortest latency", "Shortest latency, seconds", {{"min_s"}, 1}},
      {"p99", "99th percentile of latency", "99th percentile, seconds", {{"p99_s"}, 1}},
      {"p999", "99.9th percentile of latency", "99.9th percentile, seconds", {{"p999_s"}, 1}},
      {"b", "memory allocated", "kB a call, client and server", {{"client_b", "server_b"}, 1e-3}},
      {"allocs",
       "allocations",
       "Allocations a call, client and server",
       {{"client_allocs", "server_allocs"}, 1}},
  };
}

void AddFixed(std::vector<Chart>& charts, const Selection& selection, const std::string& family,
              const std::string& prefix, const std::string& calls) {
  for (const FixedChart& fixed : FixedCharts()) {
    charts.push_back(
        Select(selection, {.name = prefix + fixed.name,
                           .title = fmt::format("{}: {}", calls, fixed.title),
                           .y_title = fixed.y_title,
                           .missing = fmt::format("a run of fixed with {}", family),
                           .takes = [&family](const Row& row) { return row.family == family; },
                           .quantity = fixed.quantity}));
  }
}

}  // namespace

bool IsSweep(const Row& row) {
  return row.file == "qps/sweep.json";
}

bool IsQps(const Row& row) {
  return row.family == "BenchmarkQPS" && !IsSweep(row);
}

bool IsOneAtATime(const Row& row) {
  return IsQps(row) && row.Parameter("in_flight") == row.Parameter("clients");
}

std::vector<Chart> ClientCharts(const Selection& selection) {
  std::vector<Chart> charts;
  AddQps(charts, selection);
  AddFixed(charts, selection, "BenchmarkFixed", "fixed_", "100,000 calls at once");
  AddFixed(charts, selection, "BenchmarkFixedSmall", "fixed_small_", "Fewer calls at once");
  return charts;
}

}  // namespace rpcbench
