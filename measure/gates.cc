#include "measure/gates.h"

#include <fmt/format.h>

#include <cmath>

namespace rpcbench {
namespace {

using Problems = std::vector<std::string>;

double Ms(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void CheckOutcomes(const RowFacts& facts, Problems& problems) {
  const OutcomeCounts& seen = facts.outcomes;
  if (seen.errors() > 0) {
    problems.push_back(fmt::format(
        "{} of {} calls went wrong: {} failed, {} timed out, {} cancelled, {} replies differed, {} "
        "replies to no call",
        seen.errors(), seen.ok + seen.errors(), seen.failed, seen.timed_out, seen.cancelled,
        seen.mismatched, seen.doubled));
  }
  if (seen.ok == 0) problems.push_back("no call was answered");
  if (facts.log_overflowed) {
    problems.push_back("the latency log was full and samples would have been lost");
  }
}

void CheckConnections(const RowFacts& facts, Problems& problems) {
  const auto check = [&](const std::optional<int>& seen, const char* when) {
    if (!seen || *seen == facts.connections) return;
    problems.push_back(fmt::format("{} connections are established on the server's port {}, not {}",
                                   *seen, when, facts.connections));
  };
  check(facts.connections_before, "after warm-up");
  check(facts.connections_after, "at the end");
  const auto nodelay = [&](const std::optional<int>& without, const char* side) {
    if (!without || *without == 0) return;
    problems.push_back(
        fmt::format("TCP_NODELAY reads back as off on {} sockets of the {}", *without, side));
  };
  nodelay(facts.client_without_nodelay, "client");
  nodelay(facts.server_without_nodelay, "server");
}

void CheckInFlight(const RowFacts& facts, Problems& problems) {
  if (facts.in_flight && facts.outcomes.ok > 0) {
    const auto claimed = static_cast<double>(*facts.in_flight);
    if (std::abs(facts.mean_in_flight / claimed - 1) > kLittleTolerance) {
      problems.push_back(
          fmt::format("{:.0f} calls were in flight, not {:.0f} (Little's law, {:.0f} %)",
                      facts.mean_in_flight, claimed, kLittleTolerance * 100));
    }
  }
  if (facts.in_flight_limit && facts.held && facts.held->peak_in_flight > *facts.in_flight_limit) {
    problems.push_back(
        fmt::format("the server held {} requests at once, more than the {} in flight",
                    facts.held->peak_in_flight, *facts.in_flight_limit));
  }
}

void CheckHeld(const RowFacts& facts, Problems& problems) {
  if (!facts.held || facts.held->calls == 0) return;
  const HoldReport& held = *facts.held;
  if (held.least < facts.delay) {
    problems.push_back(fmt::format("a request was held {:.3f} ms, less than {:.3f} ms",
                                   Ms(held.least), Ms(facts.delay)));
  }
  if (!facts.light_load || facts.delay.count() == 0) return;
  const bool many = held.calls >= kHeldForP99;
  const auto judged = many ? held.p99 : held.p50;
  if (judged > facts.delay + kLateTolerance) {
    problems.push_back(
        fmt::format("requests were held {:.2f} ms ({}), more than {:.2f} ms at light load",
                    Ms(judged), many ? "p99" : "median", Ms(facts.delay + kLateTolerance)));
  }
}

}  // namespace

std::vector<std::string> Violations(const RowFacts& facts) {
  Problems problems;
  CheckOutcomes(facts, problems);
  CheckConnections(facts, problems);
  CheckInFlight(facts, problems);
  CheckHeld(facts, problems);
  return problems;
}

}  // namespace rpcbench
