#include "load/measurement.h"

#include <algorithm>

namespace rpcbench {
namespace {

// Other processes may take this much of a core before a late timer is no longer held against a row.
constexpr double kQuietCores = 0.05;

double Seconds(std::chrono::duration<double> time) {
  return time.count();
}
double Ms(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void AddLatencies(const LatencySet& latencies, Counters& counters) {
  if (latencies.count() == 0) return;
  counters["min_s"] = Seconds(latencies.Min());
  counters["mean_s"] = Seconds(latencies.Mean());
  counters["max_s"] = Seconds(latencies.Max());
  for (const double fraction : kFractions) {
    counters[LabelOf(fraction) + "_s"] = Seconds(latencies.Percentile(fraction));
  }
}

void AddUsage(const std::string& side, const ProcessUsage& usage, double calls,
              Counters& counters) {
  const auto user = static_cast<double>(usage.user.count());
  const auto system = static_cast<double>(usage.system.count());
  if (calls > 0) {
    counters[side + "_cpu_us"] = (user + system) / calls;
    counters[side + "_user_us"] = user / calls;
    counters[side + "_sys_us"] = system / calls;
    counters[side + "_switches"] =
        static_cast<double>(usage.voluntary_switches + usage.involuntary_switches) / calls;
  }
  counters[side + "_rss_mb"] = static_cast<double>(usage.rss_kb) / 1024;
  counters[side + "_threads"] = usage.threads;
}

// How many calls were made in `elapsed` at the measured rate.
double CallsIn(const Measurement& measurement, std::chrono::nanoseconds elapsed) {
  const double length = measurement.length.count();
  if (length <= 0) return 0;
  return measurement.calls / length * std::chrono::duration<double>(elapsed).count();
}

// Cores that neither the client nor the server kept busy, nor were left to this machine. Nothing if
// the server's share is not known.
std::optional<double> ForeignCores(const ResourceUse& use) {
  if (!use.server || !use.server->usage || use.elapsed.count() <= 0) return std::nullopt;
  const ProcessUsage& server = *use.server->usage;
  const auto ours = use.client.user + use.client.system + server.user + server.system;
  const auto others = std::max(use.machine.busy - ours, std::chrono::microseconds(0));
  return std::chrono::duration<double>(others + use.machine.stolen) /
         std::chrono::duration<double>(use.elapsed);
}

void AddHeld(const HoldReport& held, Counters& counters) {
  counters["peak_in_flight"] = static_cast<double>(held.peak_in_flight);
  if (held.calls == 0) return;
  counters["held_min_ms"] = Ms(held.least);
  counters["held_p99_ms"] = Ms(held.p99);
}

}  // namespace

void AddTally(const Tally& tally, Measurement& measurement) {
  measurement.calls = tally.calls();
  measurement.outcomes = tally.counts();
  measurement.latencies = tally.Latencies();
  measurement.facts.log_overflowed = tally.overflowed();
}

Counters CountersOf(const Measurement& measurement) {
  Counters counters;
  const ResourceUse& use = measurement.resources;
  if (measurement.length.count() > 0)
    counters["qps"] = measurement.calls / measurement.length.count();
  AddLatencies(measurement.latencies, counters);
  AddUsage("client", use.client, CallsIn(measurement, use.elapsed), counters);
  counters["client_busy"] = std::chrono::duration<double>(use.client.user + use.client.system) /
                            std::chrono::duration<double>(use.elapsed);
  if (const auto foreign = ForeignCores(use)) counters["foreign_cores"] = *foreign;
  counters["errors"] = static_cast<double>(measurement.outcomes.errors());
  if (use.server) {
    AddHeld(use.server->held, counters);
    if (use.server->usage) {
      AddUsage("server", *use.server->usage, CallsIn(measurement, use.server->elapsed), counters);
    }
  }
  if (measurement.facts.connections_after)
    counters["connections"] = *measurement.facts.connections_after;
  return counters;
}

Counters AllocationCountersOf(const Measurement& measurement) {
  Counters counters;
  const auto add = [&](const std::string& side, const AllocationCount& count, double calls) {
    if (calls <= 0) return;
    counters[side + "_allocs"] = static_cast<double>(count.allocations) / calls;
    counters[side + "_b"] = static_cast<double>(count.bytes) / calls;
  };
  const ResourceUse& use = measurement.resources;
  if (use.client_allocations)
    add("client", *use.client_allocations, CallsIn(measurement, use.elapsed));
  if (use.server && use.server->allocations) {
    add("server", *use.server->allocations, CallsIn(measurement, use.server->elapsed));
  }
  return counters;
}

AllocationCount AllocatedIn(const Measurement& measurement) {
  AllocationCount sum;
  const auto add = [&](const std::optional<AllocationCount>& count) {
    if (!count) return;
    sum.allocations += count->allocations;
    sum.bytes += count->bytes;
  };
  add(measurement.resources.client_allocations);
  if (measurement.resources.server) add(measurement.resources.server->allocations);
  return sum;
}

std::vector<std::string> ViolationsOf(const Measurement& measurement) {
  RowFacts facts = measurement.facts;
  facts.outcomes = measurement.outcomes;
  const auto& server = measurement.resources.server;
  facts.light_load = facts.light_load && server && server->usage;
  if (server) {
    facts.held = server->held;
    facts.server_without_nodelay = server->sockets.without_nodelay;
    if (server->usage) {
      const auto cpu = server->usage->user + server->usage->system;
      // Where the server is busy, or others keep the machine busy, a late timer is not the
      // framework's.
      facts.light_load = facts.light_load && cpu < server->elapsed / 4 &&
                         ForeignCores(measurement.resources).value_or(0) < kQuietCores;
    }
  }
  return Violations(facts);
}

RowResult ResultOf(const Measurement& measurement, Count count) {
  RowResult result;
  result.seconds = measurement.length;
  result.violations = ViolationsOf(measurement);
  result.allocated = AllocatedIn(measurement);
  result.counters =
      count == Count::kAllocations ? AllocationCountersOf(measurement) : CountersOf(measurement);
  return result;
}

}  // namespace rpcbench
