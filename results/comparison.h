// What a run says about its frameworks, and what two runs say about each other, as reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/fanout_published.h"
#include "results/report.h"
#include "results/run.h"

namespace rpcbench {

struct Condition {
  std::optional<std::int64_t> clients;
  std::optional<std::int64_t> in_flight;
};

// Throws Error that says what there is if no row of `runs` has the clients or the in_flight that
// are asked for.
void CheckCondition(const std::vector<Run>& runs, const Condition& condition);

// One run. Blocks: "qps" (ranked by calls/s, at in_flight 2000 and the most clients there is,
// unless asked otherwise), "qps_one_at_a_time" (frameworks whose connections carry one call:
// in_flight = clients), "fixed", "fixed_small" and "hol". Column ids carry their units; "framework"
// is the identifier and "label" what people read. A block without rows is left out. Then the blocks
// of DescribeFanout; `published` may be null.
Report Describe(const Run& run, const Condition& condition,
                const FanoutPublished* published = nullptr);

// The fan-out of one run: "board", "board_levels", "heap_per_stream", "push" and "connect", a line
// each row that is valid. Published figures are lines of their own, with "published" in the column
// "source" where ours have "run". A block without rows of ours is left out.
std::vector<Block> DescribeFanout(const Run& run, const FanoutPublished* published);

// Two runs, A and B: one block for each family and condition, a row for each framework, by the
// family's headline counter (calls/s; seconds for BenchmarkFixed and HOL). Of the fan-out: one
// block for each family and headline counter, a row for each row. Columns: "row", "framework",
// "label", "counter", "a" and "b" (medians), "a_low" to "b_high" (where the medians lie,
// MedianInterval), "ratio" (b / a), "p" (MannWhitney), "a_repeats", "b_repeats", "verdict", "note"
// (who has two speeds, IsBimodal). The verdict is about B. A block "one_run_only" lists the rows
// that only one run has. With a condition, only rows that have it.
//
// With a gate, a share such as 0.05, a block "regressions" lists the rows where B is worse by more
// than that share, by its verdict and with p below 0.05; one of them takes the report's good word.
Report Compare(const Run& a, const Run& b, const Condition& condition,
               std::optional<double> gate = std::nullopt);

// One word or two on B against A: "faster" or "slower" only where both have at least three repeats
// and the intervals of their medians do not touch.
std::string Verdict(const std::vector<double>& a, const std::vector<double>& b,
                    bool more_is_better);

// Adds the rows of a run that are not ok, and takes away the report's good word if one is invalid
// or failed.
void AddLeftOut(const Run& run, const std::string& name, Report& report);

// "run A: <folder>", and what the manifest says of the machine.
std::string HeadLine(const Run& run, const std::string& name);

// The last line, from what was left out.
void AddVerdict(Report& report);

}  // namespace rpcbench
