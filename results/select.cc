#include "results/select.h"

#include <map>
#include <vector>

#include "results/manifest.h"

namespace rpcbench {

std::string ColumnOf(const Row& row) {
  return row.variant.empty() ? row.framework : row.framework + "/" + row.variant;
}

std::set<std::string> OneAtATime(const Run& run) {
  std::map<std::string, bool> equal;
  for (const Row& row : run.rows) {
    // A row that was skipped was not run with what its name says.
    if (row.family != "BenchmarkQPS" || row.status == RowStatus::kSkipped) continue;
    const bool same = row.Parameter("in_flight") == row.Parameter("clients");
    const auto [found, added] = equal.emplace(row.framework, same);
    if (!added) found->second = found->second && same;
  }
  std::set<std::string> names;
  for (const FrameworkEntry& framework : FrameworksOf(run)) {
    const auto found = equal.find(framework.name);
    const bool guess = found != equal.end() && found->second;
    if (framework.carries.empty() ? guess : framework.carries == "one") {
      names.insert(framework.name);
    }
  }
  return names;
}

std::optional<double> MedianOfSum(const Row& row, std::initializer_list<const char*> counters) {
  std::vector<double> sums;
  for (const Repeat& repeat : row.repeats) {
    double sum = 0;
    bool complete = true;
    for (const char* counter : counters) {
      const auto found = repeat.counters.find(counter);
      complete = complete && found != repeat.counters.end();
      if (complete) sum += found->second;
    }
    if (complete) sums.push_back(sum);
  }
  return Median(std::move(sums));
}

}  // namespace rpcbench
