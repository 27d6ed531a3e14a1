// Figures that others published, kept as they gave them, to be drawn beside a run's and never as
// the same run.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "results/csv.h"

namespace rpcbench {

struct Published {
  std::string machine;  // one line: on what, and with what, they measured
  std::map<std::string, Table>
      tables;  // by path under the folder without ".csv": "qps/qps", "fixed/sec"
};

// The first line of the folder's machine.txt. Throws Error if there is none.
std::string ReadMachine(const std::filesystem::path& folder);

// Reads every CSV file under `folder`, and the first line of its machine.txt. Throws Error if the
// folder, machine.txt or all CSV files are missing, or one is damaged.
Published ReadPublished(const std::filesystem::path& folder);

}  // namespace rpcbench
