// Google Benchmark's JSON into rows.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "echo/error.h"
#include "results/json_file.h"
#include "results/name.h"
#include "results/run.h"

namespace rpcbench {
namespace {

using nlohmann::json;

// What Google Benchmark says of its own; every other number is a counter.
bool IsHarnessKey(std::string_view key) {
  for (const std::string_view own :
       {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
        "repetition_index", "threads", "iterations", "real_time", "cpu_time", "time_unit", "label",
        "error_occurred", "error_message", "allocs_per_iter", "max_bytes_used",
        "total_allocated_bytes", "net_heap_growth"}) {
    if (key == own) return true;
  }
  return false;
}

template <class T>
T Get(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) throw Error(fmt::format("an entry has no \"{}\"", key));
  try {
    return found->get<T>();
  } catch (const json::exception&) {
    throw Error(fmt::format("\"{}\" is {}", key, found->dump()));
  }
}

// get<> takes 1.9 for 1 and true for 1.
std::int64_t GetIndex(const json& entry) {
  const auto found = entry.find("repetition_index");
  if (found == entry.end()) return 0;
  if (!found->is_number_integer()) {
    throw Error("\"repetition_index\" is " + found->dump() + ", not a whole number");
  }
  return found->get<std::int64_t>();
}

bool Failed(const json& entry) {
  return entry.contains("error_occurred") && Get<bool>(entry, "error_occurred");
}

// The status and the reason without its prefix.
std::pair<RowStatus, std::string> Verdict(const std::string& message) {
  const std::string skipped = "skipped: ";
  const std::string invalid = "invalid: ";
  if (message.starts_with(skipped)) return {RowStatus::kSkipped, message.substr(skipped.size())};
  if (message.starts_with(invalid)) return {RowStatus::kInvalid, message.substr(invalid.size())};
  const std::string failed = "failed: ";
  return {RowStatus::kFailed,
          message.starts_with(failed) ? message.substr(failed.size()) : message};
}

Repeat ReadRepeat(const json& entry) {
  Repeat repeat;
  repeat.index = GetIndex(entry);
  for (const auto& [key, value] : entry.items()) {
    // Null is a number that was not finite: nothing was measured.
    if (IsHarnessKey(key) || value.is_null()) continue;
    if (!value.is_number()) throw Error(fmt::format("counter \"{}\" is {}", key, value.dump()));
    repeat.counters[key] = value.get<double>();
  }
  return repeat;
}

Row& RowOf(const Row& parsed, std::vector<Row>& rows) {
  const auto same = [&](const Row& row) { return row.name == parsed.name; };
  const auto found = std::find_if(rows.begin(), rows.end(), same);
  return found != rows.end() ? *found : rows.emplace_back(parsed);
}

void AddEntry(const json& entry, std::vector<Row>& rows) {
  if (!entry.is_object()) throw Error("an entry is not an object");
  if (Get<std::string>(entry, "run_type") != "iteration") return;
  const std::string name = Get<std::string>(entry, "name");
  try {
    Row& row = RowOf(ParseRowName(name), rows);
    if (!Failed(entry)) {
      row.repeats.push_back(ReadRepeat(entry));
      return;
    }
    const auto [status, reason] = Verdict(Get<std::string>(entry, "error_message"));
    if (row.status == RowStatus::kOk) row.reason = reason;
    row.status = std::max(row.status, status);
  } catch (const Error& error) {
    throw Error(name + ": " + error.what());
  }
}

}  // namespace

std::vector<Row> ReadBenchmarkJson(const std::filesystem::path& file) {
  const std::string list = "benchmarks";
  const JsonFile read = ReadJson(file, list);
  if (!read.value.is_object() || !read.value.contains(list) || !read.value[list].is_array()) {
    throw Error(
        fmt::format("{}:1: not Google Benchmark's JSON: no array \"benchmarks\"", file.string()));
  }
  std::vector<Row> rows;
  std::size_t index = 0;
  for (const json& entry : read.value[list]) {
    const std::size_t line = index < read.lines.size() ? read.lines[index] : 0;
    ++index;
    try {
      AddEntry(entry, rows);
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}: {}", file.string(), line, error.what()));
    }
  }
  return rows;
}

}  // namespace rpcbench
