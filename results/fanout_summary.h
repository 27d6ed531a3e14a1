// The CSV files of a run's fan-out rows. Computed from the repeats; never read back as truth.
#pragma once

#include <string>
#include <vector>

#include "results/row_table.h"
#include "results/run.h"

namespace rpcbench {

struct RowSummaryFile {
  std::string name;  // under the run folder: "fanout/board.csv"
  RowTable table;
};

// fanout/board.csv, fanout/encoders.csv and fanout/push.csv: every row of the JSON file of that
// name in its order, and every counter that a valid row has, as medians over the valid repeats. A
// row that is not ok has empty fields, and a file without any figure is left out.
std::vector<RowSummaryFile> SummarizeFanout(const Run& run);

}  // namespace rpcbench
