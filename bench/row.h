// A row of a benchmark: its name, and what runs it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "measure/allocations.h"

namespace rpcbench {

using Counters = std::map<std::string, double>;  // names of METHOD.md's tables of counters

struct RowResult {
  Counters counters;
  std::vector<std::string> violations;       // the gates' verdict; empty for a valid row
  std::chrono::duration<double> seconds{0};  // that were measured, over all iterations
  AllocationCount allocated;                 // by both sides, in the allocation pass
};

// A row whose server runs and whose connections stand. Throws Error when it cannot go on.
class LiveRow {
 public:
  virtual ~LiveRow() = default;

  // Measures `iterations` times. With kAllocations the counters are those of the allocation pass
  // only.
  virtual RowResult Run(std::int64_t iterations, Count count) = 0;
};

struct RowSpec {
  std::string name;                                 // without Google Benchmark's suffixes
  bool count_allocations = true;                    // whether it has an allocation pass
  std::string skipped;                              // why this row cannot be run; empty: it can
  std::function<std::unique_ptr<LiveRow>()> start;  // sets up and warms up
};

}  // namespace rpcbench
