// The report of one run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/comparison.h"
#include "results/manifest.h"
#include "results/select.h"

namespace rpcbench {
namespace {

constexpr std::int64_t kDefaultInFlight = 2000;
const char kBaseline[] = "asio_tcp_raw";

Cell Scaled(std::optional<double> value, double scale = 1) {
  if (!value) return {};
  return *value * scale;
}

class Describer final {
 public:
  Describer(const Run& run, const Condition& condition) : run_(run), one_(OneAtATime(run)) {
    for (const FrameworkEntry& framework : FrameworksOf(run))
      labels_[framework.name] = framework.label;
    in_flight_ = condition.in_flight.value_or(DefaultInFlight());
    // Of the ranked rows first: the sweep has fewer clients than the rest, `fixed` alone no QPS
    // rows.
    clients_ = condition.clients.value_or(Most([this](const Row& row) { return IsMany(row); }));
    if (clients_ == 0) clients_ = Most([this](const Row& row) { return IsOne(row); });
    if (clients_ == 0) clients_ = Most([](const Row&) { return true; });
  }

  // Why there is nothing to rank where QPS rows were run; "" if there is.
  std::string WhyNothingRanked() const {
    std::set<std::int64_t> clients;
    for (const Row& row : run_.rows) {
      if (IsMany(row)) clients.insert(row.Parameter("clients"));
    }
    if (clients.empty() || !Ranked(true).empty()) return "";
    return fmt::format("nothing to rank with {} in flight over {} clients; there are clients: {}",
                       in_flight_, clients_, fmt::join(clients, ", "));
  }

  Block Qps(bool many) const {
    Block block;
    block.id = many ? "qps" : "qps_one_at_a_time";
    block.title =
        many ? fmt::format("QPS, {} in flight over {} clients", in_flight_, clients_)
             : fmt::format("QPS, one call at a time: {0} in flight over {0} clients", clients_);
    if (!many) {
      block.note =
          "a connection carries one call at a time, so the load is lighter: not to be ranked with "
          "the others";
    }
    block.columns = Columns({{"qps", "QPS", 0},
                             {"share_percent", "% of\nn/delay", 1},
                             {"p50_ms", "p50 ms", 2},
                             {"p99_ms", "p99 ms", 2},
                             {"client_cpu_us", "client\nCPU us", 2},
                             {"server_cpu_us", "server\nCPU us", 2},
                             {"allocs", "allocs\na call", 1}});
    if (many) block.columns.push_back({"ratio", "x asio\nraw", 3});
    const std::optional<double> baseline = Baseline();
    for (const Row* row : Ranked(many)) {
      const std::optional<double> qps = row->Median("qps");
      auto& cells = AddRow(*row, block);
      cells.insert(
          cells.end(),
          {Scaled(qps), Scaled(row->Median("share"), 100), Scaled(row->Median("p50_s"), 1e3),
           Scaled(row->Median("p99_s"), 1e3), Scaled(row->Median("client_cpu_us")),
           Scaled(row->Median("server_cpu_us")), Scaled(Allocs(*row))});
      if (!many) continue;
      const bool known = qps && baseline && *baseline > 0;
      cells.push_back(known ? Cell(*qps / *baseline) : Cell());
    }
    return block;
  }

  Block Fixed(const std::string& family, const std::string& id, const std::string& title) const {
    Block block;
    block.id = id;
    block.title = fmt::format("{}, {} clients", title, clients_);
    block.columns = Columns({{"sec", "sec", 3},
                             {"p50_s", "p50 s", 3},
                             {"p99_s", "p99 s", 3},
                             {"allocs", "allocs\na call", 1},
                             {"bytes", "B\na call", 0}});
    std::vector<const Row*> rows;
    for (const Row& row : run_.rows) {
      if (row.status == RowStatus::kOk && row.family == family &&
          row.Parameter("clients") == clients_) {
        rows.push_back(&row);
      }
    }
    SortBy("sec", false, rows);
    for (const Row* row : rows) {
      auto& cells = AddRow(*row, block);
      cells.insert(cells.end(), {Scaled(row->Median("sec")), Scaled(row->Median("p50_s")),
                                 Scaled(row->Median("p99_s")), Scaled(AllocsOf(*row)),
                                 Scaled(MedianOfSum(*row, {"client_b", "server_b"}))});
    }
    return block;
  }

  Block Hol() const {
    Block block;
    block.id = "hol";
    block.title = "Head of line: a slow call in front of quick ones, on one connection";
    block.columns = Columns({{"ceiling_qps", "calls/s a\nconnection", 0},
                             {"times_one_at_a_time", "x one at\na time", 1},
                             {"wait_p50_ms", "wait\np50 ms", 2},
                             {"wait_max_ms", "wait\nmax ms", 2},
                             {"overtook_percent", "over-\ntook %", 0},
                             {"steady_p99_ms", "steady\np99 ms", 2}});
    std::vector<std::string> columns;
    std::map<std::string, std::map<std::string, const Row*>> rows;
    for (const Row& row : run_.rows) {
      if (row.status != RowStatus::kOk || !row.family.starts_with("BenchmarkHOL/")) continue;
      auto& parts = rows[ColumnOf(row)];
      if (parts.empty()) columns.push_back(ColumnOf(row));
      parts.emplace(row.family.substr(row.family.find('/') + 1), &row);
    }
    for (const std::string& column : columns) {
      const auto& parts = rows.at(column);
      const auto median = [&](const char* part, const char* counter) {
        const auto found = parts.find(part);
        return found == parts.end() ? std::nullopt : found->second->Median(counter);
      };
      auto& cells = AddRow(*parts.begin()->second, block);
      cells.insert(
          cells.end(),
          {Scaled(median("ceiling", "qps")), Scaled(median("ceiling", "times_one_at_a_time")),
           Scaled(median("victim", "wait_p50_s"), 1e3), Scaled(median("victim", "wait_max_s"), 1e3),
           Scaled(median("victim", "overtook"), 100), Scaled(median("steady", "p99_s"), 1e3)});
    }
    return block;
  }

 private:
  static std::vector<Column> Columns(std::initializer_list<Column> figures) {
    std::vector<Column> columns = {{"framework", "framework", -1, false}, {"label", "framework"}};
    columns.insert(columns.end(), figures);
    return columns;
  }

  std::vector<Cell>& AddRow(const Row& row, Block& block) const {
    const std::string& label = labels_.at(row.framework);
    return block.rows.emplace_back(std::vector<Cell>{
        ColumnOf(row), row.variant.empty() ? label : label + " (" + row.variant + ")"});
  }

  static void SortBy(const char* counter, bool descending, std::vector<const Row*>& rows) {
    const double last = descending ? -1 : 1e300;
    std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) {
      const double left = a->Median(counter).value_or(last);
      const double right = b->Median(counter).value_or(last);
      return descending ? left > right : left < right;
    });
  }

  template <class Pick>
  std::int64_t Most(const Pick& pick) const {
    std::int64_t most = 0;
    for (const Row& row : run_.rows) {
      if (pick(row)) most = std::max(most, row.Parameter("clients"));
    }
    return most;
  }

  // 2000, or the nearest there is.
  std::int64_t DefaultInFlight() const {
    std::set<std::int64_t> all;
    for (const Row& row : run_.rows) {
      if (row.family != "BenchmarkQPS") continue;
      if (!one_.contains(row.framework)) all.insert(row.Parameter("in_flight"));
    }
    const auto nearer = [](std::int64_t a, std::int64_t b) {
      return std::abs(a - kDefaultInFlight) < std::abs(b - kDefaultInFlight);
    };
    const auto best = std::min_element(all.begin(), all.end(), nearer);
    return best == all.end() ? kDefaultInFlight : *best;
  }

  bool IsMany(const Row& row) const {
    return row.family == "BenchmarkQPS" && !one_.contains(row.framework) &&
           row.Parameter("in_flight") == in_flight_;
  }

  bool IsOne(const Row& row) const {
    return row.family == "BenchmarkQPS" && one_.contains(row.framework) &&
           row.Parameter("in_flight") == row.Parameter("clients");
  }

  std::vector<const Row*> Ranked(bool many) const {
    std::vector<const Row*> rows;
    std::set<std::string> seen;
    for (const Row& row : run_.rows) {
      if (row.status != RowStatus::kOk || row.Parameter("clients") != clients_) continue;
      if (!(many ? IsMany(row) : IsOne(row)) || !seen.insert(row.name).second) continue;
      rows.push_back(&row);
    }
    SortBy("qps", true, rows);
    return rows;
  }

  std::optional<double> Baseline() const {
    for (const Row* row : Ranked(true)) {
      if (ColumnOf(*row) == kBaseline) return row->Median("qps");
    }
    return std::nullopt;
  }

  static std::optional<double> AllocsOf(const Row& row) {
    return MedianOfSum(row, {"client_allocs", "server_allocs"});
  }

  // Of the Fixed row of the same framework, variant and clients; where that has none, its own.
  std::optional<double> Allocs(const Row& qps) const {
    for (const char* family : {"BenchmarkFixed", "BenchmarkFixedSmall"}) {
      for (const Row& row : run_.rows) {
        if (row.status != RowStatus::kOk || row.family != family) continue;
        if (ColumnOf(row) != ColumnOf(qps) || row.Parameter("clients") != clients_) continue;
        if (const auto allocs = AllocsOf(row)) return allocs;
      }
    }
    return AllocsOf(qps);
  }

  const Run& run_;
  std::set<std::string> one_;
  std::map<std::string, std::string> labels_;
  std::int64_t in_flight_ = 0;
  std::int64_t clients_ = 0;
};

}  // namespace

Report Describe(const Run& run, const Condition& condition, const FanoutPublished* published) {
  Report report;
  report.head.push_back(HeadLine(run, ""));
  const Describer describer(run, condition);
  const std::string nothing = describer.WhyNothingRanked();
  if (!nothing.empty()) report.warnings.push_back(nothing);
  for (Block& block :
       std::vector<Block>{describer.Qps(true), describer.Qps(false),
                          describer.Fixed("BenchmarkFixed", "fixed", "Fixed: all calls at once"),
                          describer.Fixed("BenchmarkFixedSmall", "fixed_small",
                                          "Fixed, fewer calls: one at a time on a connection"),
                          describer.Hol()}) {
    if (!block.rows.empty()) report.blocks.push_back(std::move(block));
  }
  for (Block& block : DescribeFanout(run, published)) report.blocks.push_back(std::move(block));
  AddLeftOut(run, "", report);
  AddVerdict(report);
  return report;
}

}  // namespace rpcbench
