// Runs rows through Google Benchmark.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "bench/console_reporter.h"
#include "bench/google_flags.h"
#include "bench/row.h"

namespace rpcbench {

// The rows that --benchmark_filter takes: a regular expression, or one after a minus that rows must
// not match. Throws Error if it is none.
std::vector<RowSpec> Filter(std::vector<RowSpec> rows, std::string filter);

struct RunOptions {
  std::string program;                 // named in messages
  std::vector<ConsoleColumn> columns;  // of the lines on standard output
  std::chrono::seconds after{0};       // what the caller still needs, for the time left
};

// Returns the exit status: 0 good, 1 a row failed or is invalid or the run was interrupted, 2 no
// row matches. Throws Error if the output cannot be written.
int RunRows(const std::vector<RowSpec>& rows, const GoogleFlags& google, const RunOptions& options);

}  // namespace rpcbench
