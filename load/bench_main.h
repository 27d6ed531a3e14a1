// What qps, fixed and hol have in common: flags, rows, Google Benchmark, exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/row.h"
#include "echo/dataset.h"
#include "load/flags.h"

namespace rpcbench {

// A flag of one program: a number, or a list of numbers separated by commas.
struct NumberFlag {
  std::string name;  // --in-flight
  std::string help;
  std::vector<std::uint32_t>* values;  // the defaults, replaced by what is given
  std::uint32_t least;
  std::uint32_t most;
  bool list = false;
};

struct Program {
  std::string name;
  std::string description;
  std::vector<NumberFlag> flags;
  std::function<void(CLI::App&)> declare;  // flags that are no numbers; may be empty
  bool one_connection = false;             // every row has one: there is no --clients
  // The rows, in order. Everything passed outlives them. Throws Error if flags make no sense.
  std::function<std::vector<RowSpec>(const std::vector<Framework>& frameworks,
                                     const LoadOptions& options, const Dataset& dataset)>
      rows;
};

// Returns the exit status: 0 good, 1 a row failed or is invalid or the run was interrupted, 2 bad
// usage.
int BenchMain(int argc, char** argv, const Program& program);

}  // namespace rpcbench
