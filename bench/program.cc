#include "bench/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bench/run_rows.h"
#include "measure/resources.h"
#include "process/program.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

void Declare(CLI::App& app, const BenchProgram& program, int& after) {
  if (program.declare) program.declare(app);
  app.add_option("--after", after,
                 "Seconds that the caller still needs afterwards, for the time left")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.footer(
      fmt::format("Google Benchmark's own flags work too, such as --benchmark_filter=REGEX, "
                  "--benchmark_repetitions=N,\n"
                  "--benchmark_min_time=SECONDS (a window is this long) [{}], "
                  "--benchmark_enable_random_interleaving=true,\n"
                  "--benchmark_out=FILE, --benchmark_format=json, --benchmark_list_tests.",
                  program.window_seconds));
}

int Run(const BenchProgram& program, const std::vector<RowSpec>& rows, const GoogleFlags& google,
        int after) {
  CatchInterrupts();
  RaiseDescriptorLimit();
  if (program.prepare) program.prepare();
  return RunRows(rows, google, {program.name, program.columns, std::chrono::seconds(after)});
}

}  // namespace

int RunBenchProgram(int argc, char** argv, const BenchProgram& program) {
  GoogleFlags google;
  std::vector<RowSpec> rows;
  int after = 0;
  CLI::App app(program.description);
  Declare(app, program, after);
  const auto read = [&] {
    google = TakeGoogleFlags(argc, argv, program.window_seconds);
    app.parse(argc, argv);
    if (program.instead && program.instead()) return false;
    rows = Filter(program.rows(google), google.filter);
    if (!google.list_tests) return true;
    for (const RowSpec& row : rows) fmt::print("{}\n", row.name);
    return false;
  };
  return RunProgram(app, {program.name, read, [&] { return Run(program, rows, google, after); }});
}

}  // namespace rpcbench
