#include "results/fanout_summary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "results/fanout.h"

namespace rpcbench {
namespace {

// In this order people read them; any other counter follows by its name.
constexpr std::array kFirst = {
    "cores",        "encode_cores", "ticks_s",           "tick_p50_ms",       "tick_p99_ms",
    "renders_tick", "frames_s",     "dropped",           "bytes_frame",       "us_frame",
    "heap_stream",  "commands_tx",  "due_commit_p50_ms", "due_commit_p99_ms", "cohorts",
    "cpu_render",   "cpu_encode",   "cpu_canary",        "cpu_write",         "cpu_commit"};

std::vector<std::string> CountersOf(const std::vector<const Row*>& rows) {
  std::set<std::string> there;
  for (const Row* row : rows) {
    if (row->status != RowStatus::kOk) continue;
    for (const Repeat& repeat : row->repeats) {
      for (const auto& [counter, value] : repeat.counters) there.insert(counter);
    }
  }
  std::vector<std::string> counters;
  for (const char* first : kFirst) {
    if (there.erase(first) > 0) counters.emplace_back(first);
  }
  counters.insert(counters.end(), there.begin(), there.end());
  return counters;
}

RowTable TableOf(const std::vector<const Row*>& rows) {
  RowTable table;
  table.counters = CountersOf(rows);
  for (const Row* row : rows) {
    table.rows.push_back(row->name);
    auto& cells = table.cells.emplace_back();
    for (const std::string& counter : table.counters) {
      cells.push_back(row->status == RowStatus::kOk ? row->Median(counter) : std::nullopt);
    }
  }
  return table;
}

}  // namespace

std::vector<RowSummaryFile> SummarizeFanout(const Run& run) {
  std::vector<RowSummaryFile> files;
  for (const std::string name : {"fanout/board", "fanout/encoders", "fanout/push"}) {
    std::vector<const Row*> rows;
    for (const Row& row : run.rows) {
      if (IsFanout(row) && row.file == name + ".json") rows.push_back(&row);
    }
    RowSummaryFile file{name + ".csv", TableOf(rows)};
    if (!file.table.counters.empty()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace rpcbench
