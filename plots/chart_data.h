// Which charts a run gives, and what is on each: selection only, nothing is drawn.
#pragma once

#include <vector>

#include "plots/chart.h"
#include "plots/selection.h"
#include "results/fanout_published.h"
#include "results/run.h"

namespace rpcbench {

// A row of the sweep over calls in flight, which no other chart draws.
bool IsSweep(const Row& row);

// A row of BenchmarkQPS that is not of the sweep.
bool IsQps(const Row& row);

// A row of a framework that carries one call at a time on a connection: in flight = clients. It is
// another load than a fixed number in flight, and never in one chart with it.
bool IsOneAtATime(const Row& row);

// One line a framework over connections: qps*, fixed_*, fixed_small_*. Axes are not fitted yet, so
// that published figures can still be added.
std::vector<Chart> ClientCharts(const Selection& selection);

// Bars and curves: hol_*, qps_in_flight, cpu*, latency*.
std::vector<Chart> OtherCharts(const Selection& selection);

// What the charts of the SSE fan-out are made of. Both outlive the charts' making; `published` may
// be null.
struct FanoutSource {
  const Selection& selection;
  const FanoutPublished* published = nullptr;
};

// Bars by encoder: fanout_bytes, fanout_cores, fanout_heap, fanout_us_frame.
std::vector<Chart> EncoderCharts(const FanoutSource& source);

// Bars of the shared board at its usual number of streams: fanout_cpu, fanout_cpu_share,
// fanout_tick, fanout_commit.
std::vector<Chart> BoardCharts(const FanoutSource& source);

// What more streams cost: fanout_cohort, fanout_cohort_heap, fanout_streams, fanout_push.
std::vector<Chart> StreamCharts(const FanoutSource& source);

}  // namespace rpcbench
