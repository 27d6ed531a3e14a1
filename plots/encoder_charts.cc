// One bar an encoder: what its level and window cost and save.
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "plots/chart_data.h"
#include "plots/fanout_bars.h"
#include "results/fanout.h"

namespace rpcbench {
namespace {

struct EncoderSpec {
  FanoutTitle title;
  std::string family;
  std::string axis;
  Quantity quantity;
  bool log = false;  // always; otherwise where the values ask for it
};

// -1 of "zstd_-1_lowmem"; 0 where there is none.
int LevelOf(const std::string& encoder) {
  const std::size_t at = encoder.find('_');
  int level = 0;
  if (at != std::string::npos) {
    std::from_chars(encoder.data() + at + 1, encoder.data() + encoder.size(), level);
  }
  return level;
}

// Codecs as they come in the run, then by level, as a reader looks them up.
std::vector<const Row*> Ordered(std::vector<const Row*> rows) {
  std::map<std::string, std::size_t> codecs;
  for (const Row* row : rows) codecs.emplace(CodecOf(row->framework), codecs.size());
  const auto key = [&](const Row* row) {
    return std::tuple(codecs.at(CodecOf(row->framework)), LevelOf(row->framework), row->framework,
                      row->Parameter("window"));
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return key(a) < key(b); });
  return rows;
}

Chart ChartOf(const FanoutSource& source, const EncoderSpec& spec) {
  const auto rows =
      source.selection.Rows([&](const Row& row) { return row.family == spec.family; });
  Chart chart = source.selection.Begin(BeginFanout(spec.title), rows);
  chart.x.title = spec.axis;
  std::vector<const Row*> drawn;
  for (const Row* row : rows) {
    if (PointOf(*row, spec.quantity, 0)) drawn.push_back(row);
  }
  std::vector<double> values;
  std::string codec;
  for (const Beside& beside : SetBeside(Ordered(drawn), source.published, spec.family)) {
    std::optional<Bar> bar = BarOf(beside, spec.quantity);
    if (!bar) continue;
    const std::string other = CodecOf(beside.row->framework);
    bar->begins_group = other != codec;
    codec = other;
    values.push_back(bar->value);
    chart.bars.push_back(*bar);
  }
  chart.x.log = spec.log || WantsLog(values);
  FitBars(chart);
  NamePublished(chart, source.published);
  return chart;
}

}  // namespace

std::vector<Chart> EncoderCharts(const FanoutSource& source) {
  const std::string levels = "a run of encoders with BenchmarkBoardLevels";
  const std::string heap = "a run of encoders with BenchmarkHeapPerStream";
  const EncoderSpec specs[] = {
      {{"fanout_bytes", "Shared board: bytes a frame by encoder", levels},
       kLevelsFamily,
       "Bytes a frame",
       {{"bytes_frame"}, 1},
       false},
      {{"fanout_cores", "Shared board: cores busy by encoder", levels},
       kLevelsFamily,
       "Cores busy",
       {{"cores"}, 1},
       false},
      {{"fanout_heap", "Page of which little changes: heap of a stream's encoder", heap},
       kHeapFamily,
       "MiB a stream",
       {{"heap_stream"}, 1 / (1024.0 * 1024.0)},
       true},
      {{"fanout_us_frame", "Page of which little changes: CPU a frame by encoder", heap},
       kHeapFamily,
       "Microseconds a frame",
       {{"us_frame"}, 1},
       false}};
  std::vector<Chart> charts;
  for (const EncoderSpec& spec : specs) charts.push_back(ChartOf(source, spec));
  return charts;
}

}  // namespace rpcbench
