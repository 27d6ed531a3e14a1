// A line a row on standard output.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace rpcbench {

// One figure of a line: the counter times `scale`, or "-" where the row lacks it.
struct ConsoleColumn {
  std::string title;  // with the unit
  std::string counter;
  int decimals = 0;
  double scale = 1;
  std::string unit = {};  // written behind the number: "%"
};

class ConsoleLines final : public benchmark::BenchmarkReporter {
 public:
  explicit ConsoleLines(std::vector<ConsoleColumn> columns) : columns_(std::move(columns)) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  void PrintRun(const Run& run);

  const std::vector<ConsoleColumn> columns_;
};

}  // namespace rpcbench
