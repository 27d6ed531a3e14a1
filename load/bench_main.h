// What qps, fixed and hol have in common: flags, rows, Google Benchmark, exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "echo/dataset.h"
#include "load/flags.h"
#include "load/row.h"

namespace rpcbench {

struct Program {
  std::string name;
  std::string description;
  // Adds the program's own flags.
  std::function<void(CLI::App& app)> declare = [](CLI::App&) {};
  // The rows, in order. Everything passed outlives them.
  std::function<std::vector<RowSpec>(const std::vector<Framework>& frameworks,
                                     const LoadOptions& options, const Dataset& dataset)>
      rows;
};

// Returns the exit status: 0 good, 1 a row failed or is invalid or the run was interrupted, 2 bad
// usage.
int BenchMain(int argc, char** argv, const Program& program);

}  // namespace rpcbench
