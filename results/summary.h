// The CSV files of a run, in the published suite's shape. Computed from the repeats; never read
// back as truth.
#pragma once

#include <string>
#include <vector>

#include "results/csv.h"
#include "results/run.h"

namespace rpcbench {

struct SummaryFile {
  std::string name;  // under the run folder: "qps/qps.csv"
  Table table;
  int decimals = 3;
};

// Of the echo frameworks; the fan-out's files are SummarizeFanout's. Medians over the valid repeats
// of rows that are ok:
//   qps/qps.csv                  calls/s with 2000 in flight; frameworks that carry one call at a
//   time on a connection
//                                with as many as clients
//   qps/qps_in_flight_<n>.csv    calls/s of the others, for each n but 2000 that was run
//   qps/burst.csv                calls/s of BenchmarkQPSBurst
//   fixed/<x>.csv                BenchmarkFixed: sec, cop (mean), max, med, min, p99, p999 in
//   seconds; b (kB) and allocs a
//                                call, client and server together
//   fixed/small_<x>.csv          the same of BenchmarkFixedSmall
// Frameworks stand in the manifest's order; one without any figure for a file has no column there,
// and a file without any figure is left out.
std::vector<SummaryFile> Summarize(const Run& run);

// Writes both into the run's folder. Throws Error.
void WriteSummary(const Run& run);

}  // namespace rpcbench
