#include "load/console_reporter.h"

#include <fmt/format.h>

#include <ostream>

namespace rpcbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

constexpr int kNameWidth = 68;

std::string Value(const Run& run, const char* counter, const char* format, double scale = 1) {
  const auto found = run.counters.find(counter);
  if (found == run.counters.end()) return "-";
  return fmt::format(fmt::runtime(format), found->second.value * scale);
}

}  // namespace

bool ConsoleLines::ReportContext(const Context&) {
  GetOutputStream() << fmt::format("{:<{}} {:>10} {:>7} {:>9} {:>9} {:>9} {:>8} {:>8}\n", "row",
                                   kNameWidth, "QPS", "share", "p50 ms", "p99 ms", "max ms",
                                   "CPU us c", "CPU us s");
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
  out << fmt::format("{:<{}} {:>10} {:>7} {:>9} {:>9} {:>9} {:>8} {:>8}\n", run.benchmark_name(),
                     kNameWidth, Value(run, "qps", "{:.0f}"), Value(run, "share", "{:.1f}%", 100),
                     Value(run, "p50_s", "{:.2f}", 1e3), Value(run, "p99_s", "{:.2f}", 1e3),
                     Value(run, "max_s", "{:.2f}", 1e3), Value(run, "client_cpu_us", "{:.2f}"),
                     Value(run, "server_cpu_us", "{:.2f}"));
}

}  // namespace rpcbench
