#include "results/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "echo/error.h"
#include "results/json_file.h"
#include "results/manifest.h"

namespace rpcbench {
namespace {

constexpr std::array<const char*, 7> kFiles = {
    "qps/benchmark.json", "qps/sweep.json",       "fixed/benchmark.json", "hol/benchmark.json",
    "fanout/board.json",  "fanout/encoders.json", "fanout/push.json"};

}  // namespace

const char* ToString(RowStatus status) {
  switch (status) {
    case RowStatus::kOk:
      return "ok";
    case RowStatus::kSkipped:
      return "skipped";
    case RowStatus::kInvalid:
      return "invalid";
    case RowStatus::kFailed:
      break;
  }
  return "failed";
}

std::optional<double> Median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  // Halved first: two numbers near the largest must not overflow.
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

std::vector<double> Row::Values(const std::string& counter) const {
  std::vector<double> values;
  for (const Repeat& repeat : repeats) {
    const auto found = repeat.counters.find(counter);
    if (found != repeat.counters.end()) values.push_back(found->second);
  }
  return values;
}

std::optional<double> Row::Median(const std::string& counter) const {
  return rpcbench::Median(Values(counter));
}

std::int64_t Row::Parameter(const std::string& key, std::int64_t otherwise) const {
  const auto found = parameters.find(key);
  return found != parameters.end() ? found->second : otherwise;
}

Run ReadRun(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw Error("cannot read the run " + folder.string() + ": not a folder");
  }
  Run run;
  run.folder = folder;
  run.manifest = nlohmann::json::object();
  bool any = false;
  for (const char* name : kFiles) {
    if (!std::filesystem::exists(folder / name)) continue;
    any = true;
    std::vector<Row> rows = ReadBenchmarkJson(folder / name);
    for (Row& row : rows) row.file = name;
    std::move(rows.begin(), rows.end(), std::back_inserter(run.rows));
  }
  if (std::filesystem::exists(folder / "manifest.json")) {
    run.manifest = ReadManifest(folder / "manifest.json");
    any = true;
  }
  if (!any) {
    throw Error(fmt::format("cannot read the run {}: it has none of {}, manifest.json",
                            folder.string(), fmt::join(kFiles, ", ")));
  }
  return run;
}

}  // namespace rpcbench
