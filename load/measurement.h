// What one measurement of a row saw, and the counters and the verdict that follow from it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "bench/row.h"
#include "load/tally.h"
#include "measure/allocations.h"
#include "measure/gates.h"
#include "measure/resources.h"
#include "server/report.h"

namespace rpcbench {

// Resources of both processes from Begin to End.
struct ResourceUse {
  std::chrono::nanoseconds elapsed{0};
  ProcessUsage client;  // used meanwhile; rss_kb, peak_rss_kb and threads as they were at the end
  std::optional<AllocationCount> client_allocations;
  std::optional<ServerReport> server;
  MachineUsage machine;  // of all processes
};

struct Measurement {
  double calls = 0;  // in `length`, with parts of calls at a window's edges
  std::chrono::duration<double> length{0};
  OutcomeCounts outcomes;
  LatencySet latencies;
  ResourceUse resources;
  RowFacts facts;
};

// Copies what the tally has: calls, outcomes, latencies, whether a log overflowed.
void AddTally(const Tally& tally, Measurement& measurement);

// What every row reports: qps, latencies, CPU, memory, allocations, wire bytes, errors, held times,
// connections. A figure that was not measured is absent. CPU, allocations and bytes are a call: use
// / elapsed / qps.
Counters CountersOf(const Measurement& measurement);

// client_b, client_allocs, server_b, server_allocs: what only the allocation pass knows.
Counters AllocationCountersOf(const Measurement& measurement);

// Both sides' allocations in the pass.
AllocationCount AllocatedIn(const Measurement& measurement);

// The result that follows from it: of an allocation pass, only the allocations.
RowResult ResultOf(const Measurement& measurement, Count count);

// The gates' verdict: one sentence a broken rule.
std::vector<std::string> ViolationsOf(const Measurement& measurement);

}  // namespace rpcbench
