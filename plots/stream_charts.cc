// What more streams cost: lines over their number, and how many one core would carry.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plots/chart_data.h"
#include "plots/fanout_bars.h"
#include "results/fanout.h"

namespace rpcbench {
namespace {

constexpr double kTicks = 20;  // events a second to each stream, of the board and of push rows

using Rows = std::vector<const Row*>;

Rows RowsOf(const Selection& selection, const char* family) {
  return selection.Rows([family](const Row& row) { return row.family == family; });
}

// Of each codec, with an encoder a stream and with shared ones, those rows that were run over the
// most numbers of streams with all else equal: the board has its other settings at one number only.
// Of equals in process before wire, NORMAL before FULL.
Rows LongestLines(const Rows& rows) {
  std::map<std::pair<std::string, std::string>, std::map<std::string, Rows>> lines;
  for (const Row* row : rows) {
    const BoardTraits traits = BoardTraitsOf(*row);
    const std::string order = (traits.delivery == "sink" ? "0" : "1") +
                              std::string(traits.synchronous == "normal" ? "0" : "1");
    lines[{row->framework, traits.encoders}][order + row->variant].push_back(row);
  }
  Rows longest;
  for (const auto& [which, candidates] : lines) {
    const auto best = std::max_element(
        candidates.begin(), candidates.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    longest.insert(longest.end(), best->second.begin(), best->second.end());
  }
  return longest;
}

struct LineSpec {
  FanoutTitle title;
  std::string axis;
  Quantity quantity;
};

// Numbers of streams stand side by side, however far apart.
void DrawLines(const Rows& rows, const Selection& selection, const LineSpec& spec, Chart& chart) {
  chart.x.title = "Streams";
  chart.y.title = spec.axis;
  std::set<std::int64_t> streams;
  for (const Row* row : rows) {
    if (PointOf(*row, spec.quantity, 0)) streams.insert(row->Parameter("streams"));
  }
  for (const std::int64_t count : streams) {
    chart.x.ticks.emplace_back(static_cast<double>(chart.x.ticks.size()),
                               FormatNumber(static_cast<double>(count)));
  }
  for (const Row* row : rows) {
    if (!streams.contains(row->Parameter("streams"))) continue;
    const auto place = streams.find(row->Parameter("streams"));
    const auto x = static_cast<double>(std::distance(streams.begin(), place));
    const std::optional<Point> point = PointOf(*row, spec.quantity, x);
    if (point) selection.AddPoint(chart, *row, *point);
  }
  FinishLines(chart);
}

Chart Cohort(const FanoutSource& source, const LineSpec& spec) {
  Rows rows = LongestLines(RowsOf(source.selection, kBoardFamily));
  std::erase_if(rows, [](const Row* row) { return row->framework == "identity"; });
  Chart chart = source.selection.Begin(BeginFanout(spec.title), rows);
  DrawLines(rows, source.selection, spec, chart);
  return chart;
}

Chart Push(const FanoutSource& source) {
  const LineSpec spec = {{"fanout_push", "Push: CPU of the server for each delivered event",
                          "a run of push with BenchmarkPush"},
                         "Microseconds of the server's CPU an event",
                         {{kServerMicroseconds}, 1}};
  const Rows rows = RowsOf(source.selection, kPushFamily);
  Chart chart = source.selection.Begin(BeginFanout(spec.title), rows);
  DrawLines(rows, source.selection, spec, chart);
  return chart;
}

// Of rows that differ in the number of streams only, the one with most: fixed costs weigh least.
Rows Largest(const Rows& rows) {
  Rows largest;
  for (const Row* row : rows) {
    if (row->status != RowStatus::kOk) continue;
    const auto same = std::find_if(largest.begin(), largest.end(), [&](const Row* other) {
      return other->family == row->family && other->framework == row->framework &&
             other->variant == row->variant;
    });
    if (same == largest.end()) {
      largest.push_back(row);
    } else if (row->Parameter("streams") > (*same)->Parameter("streams")) {
      *same = row;
    }
  }
  return largest;
}

// Streams that a core would carry, from what they took; nothing if the row does not say.
std::optional<Bar> StreamsBar(const Beside& beside) {
  const bool push = beside.row->family == kPushFamily;
  const Quantity quantity =
      push ? Quantity{{kServerMicroseconds}, kTicks * 1e-6} : Quantity{{"cores"}, 1};
  const double streams = push ? 1 : static_cast<double>(beside.row->Parameter("streams"));
  std::optional<Bar> bar = BarOf(beside, quantity);
  if (!bar || bar->value <= 0) return std::nullopt;
  bar->label = (push ? "push: " : "") + BarLabel(beside, true);
  bar->value = streams / bar->value;
  bar->text = FormatNumber(bar->value);
  bar->parts[0].to = bar->value;
  if (bar->range) bar->range = {streams / bar->range->second, streams / bar->range->first};
  return bar;
}

Chart StreamsACore(const FanoutSource& source) {
  Rows rows = RowsOf(source.selection, kBoardFamily);
  std::erase_if(rows, [](const Row* row) { return BoardTraitsOf(*row).delivery != "wire"; });
  const Rows board = Largest(rows);
  const Rows push = RowsOf(source.selection, kPushFamily);
  rows.insert(rows.end(), push.begin(), push.end());
  Chart chart = source.selection.Begin(
      BeginFanout({"fanout_streams",
                   "Streams that one core of the server carries, 20 events a second each",
                   "a run of board with wire rows, or of push"}),
      rows);
  chart.x.title = "Streams a core: streams of the row / cores of the server";
  std::vector<Beside> all = SetBeside(board, source.published, kBoardFamily);
  for (const Row* row : Largest(push)) all.push_back({row, false});
  std::vector<double> values;
  for (const Beside& beside : all) {
    const std::optional<Bar> bar = StreamsBar(beside);
    if (!bar) continue;
    values.push_back(bar->value);
    chart.bars.push_back(*bar);
  }
  chart.x.log = WantsLog(values);
  FinishBars(chart);
  NamePublished(chart, source.published);
  return chart;
}

}  // namespace

std::vector<Chart> StreamCharts(const FanoutSource& source) {
  const std::string missing = "a run of board over several numbers of streams";
  const LineSpec cores = {
      {"fanout_cohort", "Shared board: CPU of encoding, an encoder for each stream or for a cohort",
       missing},
      "Cores busy with encoding",
      {{"encode_cores"}, 1}};
  const LineSpec heap = {
      {"fanout_cohort_heap",
       "Shared board: heap of the encoders, one for each stream or for a cohort", missing},
      "KiB a stream",
      {{"heap_stream"}, 1 / 1024.0}};
  return {Cohort(source, cores), Cohort(source, heap), StreamsACore(source), Push(source)};
}

}  // namespace rpcbench
