#include "results/summary.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "results/fanout_summary.h"
#include "results/manifest.h"
#include "results/select.h"

namespace rpcbench {
namespace {

constexpr std::int64_t kPublishedInFlight = 2000;

using Picks = std::function<bool(const Row&)>;
using Figure = std::function<std::optional<double>(const Row&)>;

// Places rows into tables whose columns follow the frameworks' order.
class Summarizer final {
 public:
  explicit Summarizer(const Run& run) : run_(run) {
    for (const FrameworkEntry& framework : FrameworksOf(run)) {
      const std::size_t place = order_.size();
      order_.emplace(framework.name, place);
    }
  }

  void Add(const std::string& name, int decimals, const Picks& picks, const Figure& figure) {
    // The framework's place sorts a variant right after its framework.
    std::map<std::pair<std::size_t, std::string>, std::map<std::int64_t, double>> columns;
    std::set<std::int64_t> clients;
    for (const Row& row : run_.rows) {
      if (row.status != RowStatus::kOk || row.Parameter("clients") < 1 || !picks(row)) continue;
      const std::optional<double> value = figure(row);
      if (!value) continue;
      clients.insert(row.Parameter("clients"));
      // The first wins: the main file's row before the sweep's of the same name.
      columns[{order_.at(row.framework), ColumnOf(row)}].emplace(row.Parameter("clients"), *value);
    }
    if (columns.empty()) return;
    SummaryFile file{name, {}, decimals};
    file.table.clients.assign(clients.begin(), clients.end());
    for (const auto& [key, cells] : columns) file.table.frameworks.push_back(key.second);
    for (const std::int64_t count : clients) {
      auto& line = file.table.cells.emplace_back();
      for (const auto& [key, cells] : columns) {
        const auto found = cells.find(count);
        line.push_back(found == cells.end() ? std::nullopt : std::optional(found->second));
      }
    }
    files_.push_back(std::move(file));
  }

  std::vector<SummaryFile> Take() { return std::move(files_); }

 private:
  const Run& run_;
  std::map<std::string, std::size_t> order_;
  std::vector<SummaryFile> files_;
};

void AddQps(const Run& run, Summarizer& summarizer) {
  const std::set<std::string> one = OneAtATime(run);
  const Figure qps = [](const Row& row) { return row.Median("qps"); };
  const auto with = [&](std::int64_t in_flight, bool and_one) {
    return [=, &one](const Row& row) {
      if (row.family != "BenchmarkQPS") return false;
      const std::int64_t has = row.Parameter("in_flight");
      if (one.contains(row.framework)) return and_one && has == row.Parameter("clients");
      return has == in_flight;
    };
  };
  summarizer.Add("qps/qps.csv", 0, with(kPublishedInFlight, true), qps);
  std::set<std::int64_t> others;
  for (const Row& row : run.rows) {
    if (row.family != "BenchmarkQPS" || one.contains(row.framework)) continue;
    others.insert(row.Parameter("in_flight"));
  }
  others.erase(kPublishedInFlight);
  for (const std::int64_t in_flight : others) {
    const std::string name = "qps/qps_in_flight_" + std::to_string(in_flight) + ".csv";
    summarizer.Add(name, 0, with(in_flight, false), qps);
  }
  summarizer.Add(
      "qps/burst.csv", 0, [](const Row& row) { return row.family == "BenchmarkQPSBurst"; }, qps);
}

void AddFixed(const std::string& family, const std::string& prefix, Summarizer& summarizer) {
  const Picks picks = [&](const Row& row) { return row.family == family; };
  const auto add = [&](const std::string& name, const Figure& figure) {
    summarizer.Add("fixed/" + prefix + name + ".csv", 3, picks, figure);
  };
  for (const auto& [name, counter] : {std::pair{"sec", "sec"},
                                      {"cop", "mean_s"},
                                      {"max", "max_s"},
                                      {"med", "p50_s"},
                                      {"min", "min_s"},
                                      {"p99", "p99_s"},
                                      {"p999", "p999_s"}}) {
    add(name, [key = std::string(counter)](const Row& row) { return row.Median(key); });
  }
  add("b", [](const Row& row) {
    std::optional<double> bytes = MedianOfSum(row, {"client_b", "server_b"});
    if (bytes) *bytes /= 1000;
    return bytes;
  });
  add("allocs", [](const Row& row) {
    return MedianOfSum(row, {"client_allocs", "server_allocs"});
  });
}

}  // namespace

std::vector<SummaryFile> Summarize(const Run& run) {
  Summarizer summarizer(run);
  AddQps(run, summarizer);
  AddFixed("BenchmarkFixed", "", summarizer);
  AddFixed("BenchmarkFixedSmall", "small_", summarizer);
  return summarizer.Take();
}

void WriteSummary(const Run& run) {
  for (const SummaryFile& file : Summarize(run)) {
    WriteCsv(run.folder / file.name, file.table, file.decimals);
  }
  for (const RowSummaryFile& file : SummarizeFanout(run)) {
    WriteRowCsv(run.folder / file.name, file.table);
  }
}

}  // namespace rpcbench
