// Charts that are not over connections: head-of-line bars, QPS over calls in flight, CPU a call,
// latency percentiles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/chart_data.h"

namespace rpcbench {
namespace {

constexpr std::int64_t kInFlight = 2000;
Chart Named(const std::string& name, const std::string& title, const std::string& missing) {
  Chart chart;
  chart.name = name;
  chart.title = title;
  chart.missing = missing;
  return chart;
}

std::string Connections(std::int64_t number) {
  return fmt::format("{} connection{}", number, number == 1 ? "" : "s");
}

Chart HolCeiling(const Selection& selection) {
  const auto rows =
      selection.Rows([](const Row& row) { return row.family == "BenchmarkHOL/ceiling"; });
  Chart chart = selection.Begin(Named("hol_ceiling", "Calls a second that one connection carries",
                                      "a run of hol with BenchmarkHOL/ceiling"),
                                rows);
  chart.x.title = "Calls a second a connection";
  std::vector<double> values;
  for (const Row* row : rows) {
    const std::optional<Point> point = PointOf(*row, {{"qps"}, 1}, 0);
    if (!point) continue;
    const double clients = std::max<double>(1, static_cast<double>(row->Parameter("clients", 1)));
    Bar bar;
    bar.label = selection.LabelOf(*row);
    bar.value = point->y / clients;
    bar.text = FormatNumber(bar.value);
    bar.parts = {{selection.StyleFor(*row).colour, 0, bar.value}};
    if (point->range) {
      bar.range = {point->range->first / clients, point->range->second / clients};
    }
    values.push_back(bar.value);
    chart.bars.push_back(bar);
  }
  chart.x.log = WantsLog(values);
  const double ceiling = 1 / selection.DelaySeconds();
  if (!chart.bars.empty()) {
    chart.references.push_back(
        Across(chart.bars, fmt::format("1 / delay = {}", FormatNumber(ceiling)), ceiling));
  }
  FinishBars(chart);
  return chart;
}

Chart HolVictim(const Selection& selection) {
  const auto rows =
      selection.Rows([](const Row& row) { return row.family == "BenchmarkHOL/victim"; });
  Chart chart = selection.Begin(
      Named("hol_victim", "Wait of 100 fast calls behind one of 300 ms on the same connection",
            "a run of hol with BenchmarkHOL/victim"),
      rows);
  chart.x.title = "Milliseconds";
  chart.x.log = true;
  for (const Row* row : rows) {
    const std::optional<Point> middle = PointOf(*row, {{"wait_p50_s"}, 1e3}, 0);
    const std::optional<Point> most = PointOf(*row, {{"wait_max_s"}, 1e3}, 0);
    if (!middle || !most) continue;
    const std::string colour = selection.StyleFor(*row).colour;
    Bar bar;
    bar.label = selection.LabelOf(*row);
    bar.value = most->y;
    bar.text = fmt::format("{} / {}", FormatNumber(middle->y), FormatNumber(most->y));
    bar.parts = {{Lighter(colour, 0.6), 0, most->y}, {colour, 0, middle->y}};
    bar.range = most->range;
    chart.bars.push_back(bar);
  }
  chart.legend = {{"p50", "#555555"}, {"longest", "#bbbbbb"}};
  FinishBars(chart);
  return chart;
}

void AddInFlightCeiling(Chart& chart, double delay) {
  std::vector<double> numbers;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) numbers.push_back(point.x);
  }
  FitAxis(chart.x, numbers);
  chart.references.push_back(
      {.label = fmt::format("in flight / {:.3g} ms delay", delay * 1e3),
       .points = {{chart.x.low, chart.x.low / delay}, {chart.x.high, chart.x.high / delay}}});
}

Chart QpsInFlight(const Selection& selection) {
  const auto rows = selection.Rows(IsSweep);
  const std::int64_t clients = rows.empty() ? 0 : rows.front()->Parameter("clients");
  Chart chart =
      selection.Begin(Named("qps_in_flight", "QPS against calls in flight, " + Connections(clients),
                            "qps/sweep.json: a run of qps over several numbers of calls in flight"),
                      rows);
  chart.x.title = "Calls in flight";
  chart.x.log = true;
  chart.y.title = "Calls a second";
  for (const Row* row : rows) {
    const auto x = static_cast<double>(row->Parameter("in_flight"));
    const std::optional<Point> point = PointOf(*row, {{"qps"}, 1}, x);
    if (point) selection.AddPoint(chart, *row, *point);
  }
  if (chart.series.empty()) return chart;
  AddInFlightCeiling(chart, selection.DelaySeconds());
  FinishCurves(chart, true);
  return chart;
}

// Rows of one load at its greatest number of clients.
std::vector<const Row*> AtMostClients(const Selection& selection, bool one_at_a_time) {
  const auto takes = [one_at_a_time](const Row& row) {
    if (one_at_a_time) return IsOneAtATime(row);
    return IsQps(row) && row.Parameter("in_flight") == kInFlight;
  };
  std::int64_t clients = 0;
  for (const Row* row : selection.Rows(takes)) {
    if (row->status == RowStatus::kOk) clients = std::max(clients, row->Parameter("clients"));
  }
  return selection.Rows([&](const Row& row) {
    return takes(row) && (clients == 0 || row.Parameter("clients") == clients);
  });
}

std::string LoadOf(const std::vector<const Row*>& rows, bool one_at_a_time) {
  const std::string connections =
      Connections(rows.empty() ? 0 : rows.front()->Parameter("clients"));
  if (one_at_a_time) return connections + " with one call in flight each";
  return fmt::format("{}, {} calls in flight", connections, FormatNumber(kInFlight));
}

// Blue is the client, orange the server; a system part is the lighter one of its side.
std::vector<LegendEntry> CpuParts() {
  return {{"client, user", "#0072b2"},
          {"client, system", "#7fb8d8"},
          {"server, user", "#d55e00"},
          {"server, system", "#f2b48c"}};
}

std::optional<Bar> CpuBar(const Selection& selection, const Row& row) {
  const std::vector<std::string> split = {"client_user_us", "client_sys_us", "server_user_us",
                                          "server_sys_us"};
  const std::vector<LegendEntry> colours = CpuParts();
  Bar bar;
  bar.label = selection.LabelOf(row);
  double from = 0;
  const auto add = [&](const std::string& counter, const std::string& colour) {
    const std::optional<Point> part = PointOf(row, {{counter}, 1}, 0);
    if (!part || part->y <= 0) return;
    bar.parts.push_back({colour, from, from + part->y});
    from += part->y;
  };
  const bool apart = PointOf(row, {{split[0]}, 1}, 0) || PointOf(row, {{split[2]}, 1}, 0);
  for (std::size_t index = 0; apart && index < split.size(); ++index) {
    add(split[index], colours[index].colour);
  }
  if (!apart) {
    add("client_cpu_us", colours[0].colour);
    add("server_cpu_us", colours[2].colour);
  }
  if (bar.parts.empty()) return std::nullopt;
  bar.value = from;
  bar.text = FormatNumber(from);
  const std::optional<Point> whole = PointOf(row, {{"client_cpu_us", "server_cpu_us"}, 1}, 0);
  if (whole) bar.range = whole->range;
  return bar;
}

Chart Cpu(const Selection& selection, bool one_at_a_time) {
  const auto rows = AtMostClients(selection, one_at_a_time);
  Chart chart = selection.Begin(
      Named(one_at_a_time ? "cpu_one_at_a_time" : "cpu",
            fmt::format("CPU a call: {}", LoadOf(rows, one_at_a_time)), "a run of qps"),
      rows);
  chart.x.title = "Microseconds of CPU a call, client and server";
  for (const Row* row : rows) {
    if (const std::optional<Bar> bar = CpuBar(selection, *row)) chart.bars.push_back(*bar);
  }
  chart.legend = CpuParts();
  FinishBars(chart);
  return chart;
}

struct Percentile {
  const char* counter;
  const char* tick;
  double x;
};

// Each decade towards 100 % is as wide as the one before; the longest has no percentile, and stands
// one further.
std::vector<Percentile> Percentiles() {
  const auto place = [](double percent) { return -std::log10(1 - percent / 100); };
  return {{"min_s", "0", place(0)},        {"p50_s", "50", place(50)}, {"p75_s", "75", place(75)},
          {"p90_s", "90", place(90)},      {"p95_s", "95", place(95)}, {"p99_s", "99", place(99)},
          {"p999_s", "99.9", place(99.9)}, {"max_s", "max", 4}};
}

Chart Latency(const Selection& selection, bool one_at_a_time) {
  const auto rows = AtMostClients(selection, one_at_a_time);
  Chart chart = selection.Begin(
      Named(one_at_a_time ? "latency_one_at_a_time" : "latency",
            fmt::format("Latency: {}", LoadOf(rows, one_at_a_time)), "a run of qps"),
      rows);
  chart.x.title = "Percentile";
  chart.y.title = "Milliseconds";
  for (const Percentile& percentile : Percentiles()) {
    bool any = false;
    for (const Row* row : rows) {
      const auto point = PointOf(*row, {{percentile.counter}, 1e3}, percentile.x);
      if (!point) continue;
      selection.AddPoint(chart, *row, *point);
      any = true;
    }
    if (any) chart.x.ticks.emplace_back(percentile.x, percentile.tick);
  }
  chart.x.low = -0.1;
  chart.x.high = 4.1;
  FinishCurves(chart, true);
  return chart;
}

}  // namespace

std::vector<Chart> OtherCharts(const Selection& selection) {
  std::vector<Chart> charts = {HolCeiling(selection), HolVictim(selection), QpsInFlight(selection)};
  for (const bool one_at_a_time : {false, true}) {
    charts.push_back(Cpu(selection, one_at_a_time));
    charts.push_back(Latency(selection, one_at_a_time));
  }
  return charts;
}

}  // namespace rpcbench
