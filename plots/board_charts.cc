// Bars of the shared board, each row at the same number of streams: where its CPU goes, how long a
// tick takes, and what a synchronous commit costs.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "plots/chart_data.h"
#include "plots/fanout_bars.h"
#include "results/fanout.h"

namespace rpcbench {
namespace {

constexpr std::int64_t kUsualStreams = 200;
constexpr double kTickMilliseconds = 50;
const char kMissing[] = "a run of board";

// The usual number, or where no valid row has it the one that most have.
std::int64_t StreamsOf(const Selection& selection) {
  std::map<std::int64_t, int> counts;
  for (const Row* row : selection.Rows([](const Row& one) { return one.family == kBoardFamily; })) {
    if (row->status == RowStatus::kOk) ++counts[row->Parameter("streams")];
  }
  if (counts.empty() || counts.contains(kUsualStreams)) return kUsualStreams;
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(counts.begin(), counts.end(), fewer)->first;
}

std::vector<const Row*> RowsAt(const Selection& selection, std::int64_t streams) {
  return selection.Rows([streams](const Row& row) {
    return row.family == kBoardFamily && row.Parameter("streams") == streams;
  });
}

// Codecs as they come in the run; an encoder for each stream before shared ones, in process before
// over the network, FULL before NORMAL.
std::vector<const Row*> Ordered(std::vector<const Row*> rows) {
  std::map<std::string, std::size_t> codecs;
  for (const Row* row : rows) codecs.emplace(row->framework, codecs.size());
  const auto key = [&](const Row* row) {
    const BoardTraits traits = BoardTraitsOf(*row);
    return std::tuple(codecs.at(row->framework), traits.encoders != "per_stream", traits.delivery,
                      traits.synchronous, traits.rest);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return key(a) < key(b); });
  return rows;
}

using MakeBar = std::function<std::optional<Bar>(const Beside&)>;
// Bars stand together where this is the same.
using GroupOf = std::function<std::string(const Row&)>;

std::string ByCodec(const Row& row) {
  return row.framework;
}

std::string BySynchronous(const Row& row) {
  const BoardTraits traits = BoardTraitsOf(row);
  return fmt::format("{}/{}/{}", row.framework, traits.encoders, traits.delivery);
}

Chart ChartOf(const FanoutSource& source, const FanoutTitle& title, const MakeBar& make,
              const GroupOf& group_of) {
  const std::int64_t streams = StreamsOf(source.selection);
  const auto rows = RowsAt(source.selection, streams);
  Chart chart = source.selection.Begin(BeginFanout(title), rows);
  chart.title += fmt::format(", {} streams", FormatNumber(static_cast<double>(streams)));
  std::vector<const Row*> drawn;
  for (const Row* row : rows) {
    if (make({row, false})) drawn.push_back(row);
  }
  std::string group;
  for (const Beside& beside : SetBeside(Ordered(drawn), source.published, kBoardFamily)) {
    if (beside.published && beside.row->Parameter("streams") != streams) continue;
    std::optional<Bar> bar = make(beside);
    if (!bar) continue;
    const std::string other = (beside.published ? "published/" : "") + group_of(*beside.row);
    bar->begins_group = other != group;
    group = other;
    chart.bars.push_back(*bar);
  }
  NamePublished(chart, source.published);
  return chart;
}

struct CpuPart {
  const char* counter;
  LegendEntry legend;
};

// None of these is a codec's colour.
std::vector<CpuPart> CpuParts() {
  return {{"cpu_render", {"render", "#cc79a7"}},
          {"cpu_encode", {"encode", "#e69f00"}},
          {"cpu_canary", {"check", "#f0e442"}},
          {"cpu_write", {"write", "#56b4e9"}},
          {"cpu_commit", {"commit", "#332288"}}};
}

LegendEntry OtherPart() {
  return {"other", "#bbbbbb"};
}

// All of a row's cores, part on part; a published row does not tell its parts apart.
std::optional<Bar> CoresBar(const Beside& beside) {
  std::optional<Bar> bar = BarOf(beside, {{"cores"}, 1});
  if (!bar) return std::nullopt;
  bar->parts.clear();
  double from = 0;
  const auto add = [&](const std::string& colour, double cores) {
    if (cores <= 0) return;
    bar->parts.push_back({colour, from, from + cores});
    from += cores;
  };
  for (const CpuPart& part : CpuParts()) {
    const auto cores = PointOf(*beside.row, {{part.counter}, 1, "cores"}, 0);
    if (cores) add(part.legend.colour, cores->y);
  }
  add(OtherPart().colour, bar->value - from);
  return bar;
}

// The same as shares of the whole, so that small rows can be read too.
std::optional<Bar> ShareBar(const Beside& beside) {
  std::optional<Bar> bar = CoresBar(beside);
  if (!bar || bar->parts.size() < 2 || bar->value <= 0) return std::nullopt;
  const double scale = 100 / bar->parts.back().to;
  for (Bar::Part& part : bar->parts) {
    part.from *= scale;
    part.to *= scale;
  }
  bar->value = 100;
  bar->text += " cores";
  bar->range.reset();
  return bar;
}

Chart Cpu(const FanoutSource& source, bool shares) {
  const FanoutTitle title =
      shares
          ? FanoutTitle{"fanout_cpu_share", "Shared board: where the CPU goes, as shares", kMissing}
          : FanoutTitle{"fanout_cpu", "Shared board: where the CPU goes", kMissing};
  Chart chart = ChartOf(source, title, shares ? ShareBar : CoresBar, ByCodec);
  chart.x.title = shares ? "Percent of the row's CPU" : "Cores busy";
  for (const CpuPart& part : CpuParts()) chart.legend.push_back(part.legend);
  chart.legend.push_back(OtherPart());
  FitBars(chart);
  return chart;
}

Chart Tick(const FanoutSource& source) {
  const MakeBar make = [](const Beside& beside) {
    return PairOf(beside, {{"tick_p50_ms"}, 1}, {{"tick_p99_ms"}, 1});
  };
  Chart chart = ChartOf(source, {"fanout_tick", "Shared board: how long a tick takes", kMissing},
                        make, ByCodec);
  chart.x.title = "Milliseconds from the tick's begin to its last frame handed over";
  chart.x.log = true;
  chart.legend = PairLegend();
  if (!chart.bars.empty()) {
    chart.references.push_back(
        Across(chart.bars, "the next tick is due: 50 ms", kTickMilliseconds));
  }
  FitBars(chart);
  return chart;
}

Chart Commit(const FanoutSource& source) {
  const MakeBar make = [](const Beside& beside) {
    return PairOf(beside, {{"due_commit_p50_ms"}, 1}, {{"due_commit_p99_ms"}, 1});
  };
  Chart chart = ChartOf(
      source,
      {"fanout_commit", "SQLite's synchronous FULL against NORMAL: due to commit", kMissing}, make,
      BySynchronous);
  chart.x.title = "Milliseconds from when a command was due to its commit";
  chart.x.log = true;
  chart.legend = PairLegend();
  FitBars(chart);
  return chart;
}

}  // namespace

std::vector<Chart> BoardCharts(const FanoutSource& source) {
  return {Cpu(source, false), Cpu(source, true), Tick(source), Commit(source)};
}

}  // namespace rpcbench
