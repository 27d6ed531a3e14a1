#include "results/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "echo/error.h"
#include "results/fanout.h"
#include "results/manifest.h"
#include "results/select.h"
#include "results/statistics.h"

namespace rpcbench {
namespace {

constexpr std::size_t kLeastRepeats = 3;  // MedianInterval's
constexpr double kSignificant = 0.05;

struct Headline {
  const char* counter;
  bool more_is_better;
  int decimals;
};

// What a family is run for.
std::vector<Headline> HeadlinesOf(const std::string& family) {
  const Headline cores{"cores", false, 3};
  const Headline bytes{"bytes_frame", false, 1};
  const Headline heap{"heap_stream", false, 0};
  if (family == kBoardFamily) {
    return {cores, {"encode_cores", false, 4}, bytes,
            heap,  {"tick_p99_ms", false, 3},  {"due_commit_p50_ms", false, 3}};
  }
  if (family == kLevelsFamily) return {bytes, cores, heap};
  if (family == kHeapFamily) return {bytes, {"us_frame", false, 2}, heap};
  if (family == kPushFamily) return {{kServerMicroseconds, false, 3}};
  if (family == kConnectFamily) {
    return {{"connect_s", false, 3}, {"back_s", false, 3}, {"rss_kb_stream", false, 1}};
  }
  if (family.starts_with("BenchmarkFixed")) return {{"sec", false, 4}};
  if (family == "BenchmarkQPSRate") return {{"p99_s", false, 5}};
  if (family == "BenchmarkHOL/victim") return {{"wait_p50_s", false, 4}};
  if (family == "BenchmarkHOL/steady") return {{"p99_s", false, 4}};
  return {{"qps", true, 0}};
}

bool Has(const Row& row, const Condition& condition) {
  const auto fits = [&](const char* key, const std::optional<std::int64_t>& wanted) {
    return !wanted || !row.parameters.contains(key) || row.Parameter(key) == *wanted;
  };
  return fits("clients", condition.clients) && fits("in_flight", condition.in_flight);
}

// The same row in both runs: its file too, because the sweep may repeat a row of the main file.
using Key = std::pair<std::string, std::string>;

std::map<Key, const Row*> Index(const Run& run) {
  std::map<Key, const Row*> index;
  for (const Row& row : run.rows) index.emplace(Key{row.file, row.name}, &row);
  return index;
}

// "BenchmarkQPS/clients:4/in_flight:2000": the name without the framework. Of the fan-out the
// counter instead, since a family has several: "BenchmarkSharedBoard/cores".
std::string ConditionOf(const Row& row, const Headline& headline) {
  if (IsFanout(row)) return fmt::format("{}/{}", row.family, headline.counter);
  std::string text = row.family;
  for (const char* key : {"clients", "in_flight", "rate"}) {
    if (row.parameters.contains(key)) text += fmt::format("/{}:{}", key, row.Parameter(key));
  }
  return text;
}

// Who of the two falls into two groups.
std::string Note(const std::vector<double>& a, const std::vector<double>& b) {
  const bool in_a = IsBimodal(a);
  const bool in_b = IsBimodal(b);
  if (!in_a && !in_b) return "";
  return fmt::format("{} {} two speeds",
                     in_a && in_b ? "A and B"
                     : in_a       ? "A"
                                  : "B",
                     in_a && in_b ? "have" : "has");
}

Cell ToCell(std::optional<double> value) {
  return value ? Cell(*value) : Cell();
}

class Comparer final {
 public:
  Comparer(const Run& a, const Run& b, const Condition& condition, std::optional<double> gate)
      : a_(a), b_(b), condition_(condition), gate_(gate) {
    for (const Run* run : {&b, &a}) {
      for (const FrameworkEntry& framework : FrameworksOf(*run)) {
        labels_[framework.name] = framework.label;
      }
    }
  }

  // The last two are only there if they have rows: "regressions" and "one_run_only".
  std::vector<Block> Blocks() {
    const auto others = Index(b_);
    std::vector<Block> blocks;
    std::map<std::string, std::size_t> places;
    for (const Row& row : a_.rows) {
      const auto found = others.find({row.file, row.name});
      if (found == others.end() || !Has(row, condition_)) continue;
      const Row& other = *found->second;
      if (row.status != RowStatus::kOk || other.status != RowStatus::kOk) continue;
      for (const Headline& headline : HeadlinesOf(row.family)) {
        // Echo rows all have their headline; of the fan-out not every row has every one.
        if (IsFanout(row) && !row.Median(headline.counter) && !other.Median(headline.counter)) {
          continue;
        }
        const std::string id =
            ConditionOf(row, headline) + (row.file == "qps/sweep.json" ? " (sweep)" : "");
        const auto [place, added] = places.emplace(id, blocks.size());
        if (added) blocks.push_back(Empty(id, headline));
        AddRow(row, other, headline, blocks[place->second]);
      }
    }
    if (!regressions_.rows.empty()) blocks.push_back(regressions_);
    Block only = OnlyInOne();
    if (!only.rows.empty()) blocks.push_back(std::move(only));
    return blocks;
  }

  bool regressed() const { return !regressions_.rows.empty(); }

 private:
  static Block Empty(const std::string& id, const Headline& headline) {
    Block block{id,
                fmt::format("{}: {}, {} is better", id, headline.counter,
                            headline.more_is_better ? "more" : "less"),
                "",
                {},
                {}};
    block.columns = {{"row", "row", -1, false},
                     {"framework", "framework", -1, false},
                     {"label", "framework"},
                     {"counter", "counter", -1, false},
                     {"a", "A", headline.decimals},
                     {"a_low", "A from", headline.decimals},
                     {"a_high", "A to", headline.decimals},
                     {"b", "B", headline.decimals},
                     {"b_low", "B from", headline.decimals},
                     {"b_high", "B to", headline.decimals},
                     {"ratio", "B/A", 3},
                     {"p", "p", 3},
                     {"a_repeats", "A n", 0},
                     {"b_repeats", "B n", 0},
                     {"verdict", "B is"},
                     {"note", ""}};
    return block;
  }

  void AddRow(const Row& row, const Row& other, const Headline& headline, Block& block) {
    const std::vector<double> a = row.Values(headline.counter);
    const std::vector<double> b = other.Values(headline.counter);
    const std::optional<double> before = Median(a);
    const std::optional<double> after = Median(b);
    const bool known = before && after && *before != 0;
    const std::optional<Interval> in_a = MedianInterval(a);
    const std::optional<Interval> in_b = MedianInterval(b);
    const auto cell = [](const std::optional<Interval>& interval, double Interval::*end) {
      return interval ? Cell((*interval).*end) : Cell();
    };
    const std::optional<double> p = MannWhitney(a, b);
    const std::string verdict = Verdict(a, b, headline.more_is_better);
    block.rows.push_back({row.name, ColumnOf(row), LabelOf(row), std::string(headline.counter),
                          ToCell(before), cell(in_a, &Interval::low), cell(in_a, &Interval::high),
                          ToCell(after), cell(in_b, &Interval::low), cell(in_b, &Interval::high),
                          known ? Cell(*after / *before) : Cell(), ToCell(p),
                          static_cast<double>(a.size()), static_cast<double>(b.size()),
                          IsFanout(row) ? OfFanout(verdict) : verdict, Note(a, b)});
    if (!gate_ || !known || verdict != "slower" || !p || *p >= kSignificant) return;
    const double change = *after / *before - 1;
    if (std::abs(change) <= *gate_) return;
    regressions_.rows.push_back(
        {row.name, std::string(headline.counter), *before, *after, 100 * change, *p});
  }

  // Bytes and cores are not faster or slower.
  static std::string OfFanout(const std::string& verdict) {
    if (verdict == "faster") return "better";
    return verdict == "slower" ? "worse" : verdict;
  }

  std::string LabelOf(const Row& row) const {
    if (IsFanout(row)) {
      const std::int64_t streams = row.Parameter("streams");
      return FanoutLabel(row) + (streams > 0 ? fmt::format(", {} streams", streams) : "");
    }
    const std::string& label = labels_.at(row.framework);
    return row.variant.empty() ? label : label + " (" + row.variant + ")";
  }

  Block OnlyInOne() const {
    Block block{"one_run_only",
                "Rows that only one run has",
                "",
                {{"run", "run"}, {"row", "row"}, {"file", "file"}},
                {}};
    const auto add = [&](const char* name, const Run& run, const Run& other) {
      const auto others = Index(other);
      for (const Row& row : run.rows) {
        if (others.contains({row.file, row.name}) || !Has(row, condition_)) continue;
        block.rows.push_back({std::string(name), row.name, row.file});
      }
    };
    add("A", a_, b_);
    add("B", b_, a_);
    return block;
  }

  const Run& a_;
  const Run& b_;
  Condition condition_;
  std::optional<double> gate_;
  std::map<std::string, std::string> labels_;
  Block regressions_{"regressions",
                     "Rows where B is worse by more than the gate",
                     "",
                     {{"row", "row"},
                      {"counter", "counter"},
                      {"a", "A", 4},
                      {"b", "B", 4},
                      {"change_percent", "change\n%", 1},
                      {"p", "p", 4}},
                     {}};
};

void WarnOfManifests(const Run& a, const Run& b, Report& report) {
  for (const char* key :
       {"host", "machine", "kernel", "compiler", "flags", "libraries", "commit", "profile"}) {
    const auto say = [&](const Run& run) {
      if (!run.manifest.is_object() || !run.manifest.contains(key)) return std::string("not said");
      const auto& value = run.manifest[key];
      return value.is_string() ? value.get<std::string>() : value.dump();
    };
    const std::string in_a = say(a);
    const std::string in_b = say(b);
    if (in_a == in_b) continue;
    report.warnings.push_back(fmt::format("{} differs: A {}; B {}", key, in_a, in_b));
  }
}

std::string Numbers(const std::set<std::int64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

}  // namespace

std::string Verdict(const std::vector<double>& a, const std::vector<double>& b,
                    bool more_is_better) {
  if (a.empty() || b.empty()) return "not measured";
  if (a.size() < kLeastRepeats || b.size() < kLeastRepeats) return "too few repeats";
  const std::optional<Interval> in_a = MedianInterval(a);
  const std::optional<Interval> in_b = MedianInterval(b);
  if (in_a->Touches(*in_b)) return "same within spread";
  return (in_b->low > in_a->high) == more_is_better ? "faster" : "slower";
}

void CheckCondition(const std::vector<Run>& runs, const Condition& condition) {
  for (const auto& [key, flag, wanted] :
       {std::tuple{"clients", "--clients", condition.clients},
        std::tuple{"in_flight", "--in-flight", condition.in_flight}}) {
    std::set<std::int64_t> there;
    for (const Run& run : runs) {
      for (const Row& row : run.rows) {
        if (row.parameters.contains(key)) there.insert(row.Parameter(key));
      }
    }
    if (wanted && !there.contains(*wanted)) {
      throw Error(
          fmt::format("{} {}: no row has it; there are: {}", flag, *wanted, Numbers(there)));
    }
  }
}

std::string HeadLine(const Run& run, const std::string& name) {
  const std::string machine = DescribeMachine(run.manifest);
  std::string line = fmt::format("run{}{}: {}", name.empty() ? "" : " ", name, run.folder.string());
  const auto date = run.manifest.is_object() ? run.manifest.value("date", "") : "";
  if (!date.empty()) line += "; " + date;
  return machine.empty() ? line + "; no manifest" : line + "; " + machine;
}

void AddLeftOut(const Run& run, const std::string& name, Report& report) {
  for (const Row& row : run.rows) {
    if (row.status == RowStatus::kOk) continue;
    report.left_out.push_back(
        {name, row.name, ToString(row.status), row.reason, row.family + "/" + ColumnOf(row)});
    if (row.status != RowStatus::kSkipped) report.good = false;
  }
}

void AddVerdict(Report& report) {
  std::map<std::string, int> counts;
  for (const Left& left : report.left_out) ++counts[left.status];
  report.verdict = fmt::format("{}: rows invalid {}, failed {}, skipped {}",
                               report.good ? "good" : "not good (exit status 1)", counts["invalid"],
                               counts["failed"], counts["skipped"]);
}

Report Compare(const Run& a, const Run& b, const Condition& condition, std::optional<double> gate) {
  Report report;
  report.head = {HeadLine(a, "A"), HeadLine(b, "B")};
  WarnOfManifests(a, b, report);
  Comparer comparer(a, b, condition, gate);
  report.blocks = comparer.Blocks();
  if (comparer.regressed()) report.good = false;
  AddLeftOut(a, "A", report);
  AddLeftOut(b, "B", report);
  AddVerdict(report);
  return report;
}

}  // namespace rpcbench
