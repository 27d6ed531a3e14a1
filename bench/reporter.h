// Google Benchmark's reports: a line a row for people, and its own JSON as the raw truth.
#pragma once

#include <benchmark/benchmark.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bench/console_reporter.h"
#include "bench/row.h"

namespace rpcbench {

// The reason why a row has no figures begins with one of these: in the label of its run, and then
// in Google Benchmark's error_message.
inline constexpr char kSkippedPrefix[] = "skipped: ";
inline constexpr char kInvalidPrefix[] = "invalid: ";
inline constexpr char kFailedPrefix[] = "failed: ";
// A row that Ctrl-C cut short is not reported at all.
inline constexpr char kInterrupted[] = "interrupted";

struct ReportOptions {
  std::filesystem::path out;  // of --benchmark_out; empty: none
  std::string out_format = "json";
  bool console = true;                 // our lines; otherwise what --benchmark_format asks for
  std::vector<ConsoleColumn> columns;  // of our lines
};

// Passes runs on to a display and a file reporter, with names as this suite writes them and the
// allocation pass's counters added to the first repeat. The file is written anew, whole, after each
// row.
class Reporter final : public benchmark::BenchmarkReporter {
 public:
  // Throws Error if the format is none.
  explicit Reporter(ReportOptions options);
  ~Reporter() override;

  // What the allocation pass of a row found; before the row is reported.
  void AddAllocations(const std::string& name, const Counters& counters);

  // The allocation pass of a row went wrong, for this reason: its first repeat is reported as such.
  void Spoil(const std::string& name, const std::string& reason);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  int invalid_rows() const { return static_cast<int>(invalid_.size()); }
  int failed_rows() const { return static_cast<int>(failed_.size()); }

 private:
  void WriteOut(bool final);

  const ReportOptions options_;
  std::unique_ptr<benchmark::BenchmarkReporter> display_;
  std::unique_ptr<benchmark::BenchmarkReporter> file_;
  std::ostringstream file_text_;
  std::map<std::string, Counters> allocations_;
  std::map<std::string, std::string> spoiled_;
  std::set<std::string> incomplete_;  // rows with a repeat without figures: they have no aggregates
  std::set<std::string> invalid_;
  std::set<std::string> failed_;
};

}  // namespace rpcbench
