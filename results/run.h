// A run on disk, read back: rows with their repeats, and the manifest.
//
// A run folder holds qps/benchmark.json, qps/sweep.json, fixed/benchmark.json, hol/benchmark.json,
// fanout/board.json, fanout/encoders.json, fanout/push.json (Google Benchmark's JSON, the raw
// truth; each may be absent), manifest.json, and what is computed from them: qps/*.csv,
// fixed/*.csv, fanout/*.csv, charts/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace rpcbench {

// What became of a row. In Google Benchmark's JSON all but kOk have error_occurred, and
// error_message begins with "skipped: " (cannot be run here, by design), "invalid: " (a gate of
// METHOD.md fired) or anything else (kFailed).
enum class RowStatus { kOk, kSkipped, kInvalid, kFailed };

const char* ToString(RowStatus status);

// Exact: the middle one, or the mean of the middle two; nothing of nothing.
std::optional<double> Median(std::vector<double> values);

struct Repeat {
  std::int64_t index = 0;
  std::map<std::string, double>
      counters;  // "qps", "p50_s", ...: WORKLOADS names; only those that were measured
};

struct Row {
  std::string name;       // BenchmarkQPS/asio_tcp_raw/clients:4/in_flight:2000
  std::string family;     // BenchmarkQPS, BenchmarkQPSBurst, BenchmarkFixed, BenchmarkFixedSmall,
                          // BenchmarkHOL/victim, BenchmarkSharedBoard, ...
  std::string framework;  // asio_tcp_raw; of fan-out rows the codec, encoder or server
  std::string file;       // qps/benchmark.json, ...: the same name may stand in two files of a run
  std::string variant;    // what else the name holds, "delay_source:native"; mostly empty
  std::map<std::string, std::int64_t> parameters;  // clients, in_flight; streams, window
  RowStatus status = RowStatus::kOk;               // the worst of its repeats
  std::string reason;           // without the prefix; of the first repeat that is not ok
  std::vector<Repeat> repeats;  // the valid ones

  // Over the valid repeats that have the counter; nothing if none has.
  std::optional<double> Median(const std::string& counter) const;
  std::vector<double> Values(const std::string& counter) const;
  // A parameter of the name, or `otherwise`.
  std::int64_t Parameter(const std::string& key, std::int64_t otherwise = 0) const;
};

struct Run {
  std::filesystem::path folder;
  nlohmann::json manifest;  // an object; empty if there is no manifest.json
  std::vector<Row> rows;    // in the order of the files
};

// Reads one file of Google Benchmark's JSON; aggregates are passed over, and so is a counter that
// is not finite. Throws Error that names the file, the line and what is wrong with it. Row::file is
// left empty.
std::vector<Row> ReadBenchmarkJson(const std::filesystem::path& file);

// Reads a run folder. Throws Error if it is none or a file is damaged.
Run ReadRun(const std::filesystem::path& folder);

}  // namespace rpcbench
