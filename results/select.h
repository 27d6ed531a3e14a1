// Which rows of a run belong together, and the figures made of several counters.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>

#include "results/run.h"

namespace rpcbench {

// A row's column in a table: the framework, and what else sets the row apart: "a",
// "a/delay_source:native".
std::string ColumnOf(const Row& row);

// Frameworks that carry one call at a time on a connection, as the manifest says; where it does
// not, those whose BenchmarkQPS rows all have in_flight = clients.
std::set<std::string> OneAtATime(const Run& run);

// Over the valid repeats that have all of `counters`, the median of their sum.
std::optional<double> MedianOfSum(const Row& row, std::initializer_list<const char*> counters);

}  // namespace rpcbench
