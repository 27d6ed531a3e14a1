#include "bench/console_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace rpcbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

constexpr int kNameWidth = 68;

std::size_t WidthOf(const ConsoleColumn& column) {
  return std::max<std::size_t>(column.title.size(), 8);
}

std::string Value(const Run& run, const ConsoleColumn& column) {
  const auto found = run.counters.find(column.counter);
  if (found == run.counters.end()) return "-";
  return fmt::format("{:.{}f}{}", found->second.value * column.scale, column.decimals, column.unit);
}

}  // namespace

bool ConsoleLines::ReportContext(const Context&) {
  std::ostream& out = GetOutputStream();
  out << fmt::format("{:<{}}", "row", kNameWidth);
  for (const ConsoleColumn& column : columns_) {
    out << fmt::format(" {:>{}}", column.title, WidthOf(column));
  }
  out << "\n";
  return true;
}

void ConsoleLines::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) PrintRun(run);
  GetOutputStream().flush();
}

void ConsoleLines::PrintRun(const Run& run) {
  std::ostream& out = GetOutputStream();
  if (run.error_occurred) {
    out << fmt::format("{:<{}} {}\n", run.benchmark_name(), kNameWidth, run.error_message);
    return;
  }
  if (run.run_type == Run::RT_Aggregate && run.aggregate_unit != benchmark::kTime) return;
  out << fmt::format("{:<{}}", run.benchmark_name(), kNameWidth);
  for (const ConsoleColumn& column : columns_) {
    out << fmt::format(" {:>{}}", Value(run, column), WidthOf(column));
  }
  out << "\n";
}

}  // namespace rpcbench
