// A benchmark program: flags, rows, Google Benchmark, exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/console_reporter.h"
#include "bench/google_flags.h"
#include "bench/row.h"

namespace CLI {
class App;
}

namespace rpcbench {

struct BenchProgram {
  std::string name;
  std::string description;
  double window_seconds = 0.5;                 // --benchmark_min_time where it is not given
  std::vector<ConsoleColumn> columns;          // of the lines on standard output
  std::function<void(CLI::App& app)> declare;  // the program's own flags
  // A flag such as --list, done instead of rows; true if it was given.
  std::function<bool()> instead;
  // The rows, in order, after the flags were read; a row's window is google.min_time seconds.
  // Throws Error if the flags ask for nonsense. What the rows refer to outlives them.
  std::function<std::vector<RowSpec>(const GoogleFlags& google)> rows;
  std::function<void()> prepare;  // before the first row runs: pin, warn
};

// Returns the exit status: 0 good, 1 a row failed or is invalid or the run was interrupted, 2 bad
// usage.
int RunBenchProgram(int argc, char** argv, const BenchProgram& program);

}  // namespace rpcbench
