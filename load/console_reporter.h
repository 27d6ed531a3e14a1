// A line a row on standard output.
#pragma once

#include <benchmark/benchmark.h>

namespace rpcbench {

class ConsoleLines final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  void PrintRun(const Run& run);
};

}  // namespace rpcbench
