// The rules that make a row valid. METHOD.md gives each rule's reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "echo/hold_meter.h"

namespace rpcbench {

// How the calls of a row ended, each counted apart. Only `ok` ones have a latency.
struct OutcomeCounts {
  std::uint64_t ok = 0;
  std::uint64_t failed = 0;
  std::uint64_t timed_out = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t mismatched = 0;
  std::uint64_t doubled = 0;  // a reply to a call that was not in flight

  std::uint64_t errors() const { return failed + timed_out + cancelled + mismatched + doubled; }
};

// What a row claims and what was seen. Absent: not known here (a server on another machine, no
// socket).
struct RowFacts {
  OutcomeCounts outcomes;
  bool log_overflowed = false;

  int connections = 0;                        // claimed
  std::optional<int> connections_before;      // established on the server's port after warm-up
  std::optional<int> connections_after;       // and at the end
  std::optional<int> client_without_nodelay;  // sockets whose TCP_NODELAY read back as off
  std::optional<int> server_without_nodelay;

  // Closed loop: what the label claims, and the mean over the window, which is the sum of the
  // calls' times inside the window divided by its length (Little's law for a window).
  std::optional<std::int64_t> in_flight;
  double mean_in_flight = 0;

  std::chrono::nanoseconds delay{0};
  std::optional<HoldReport> held;
  bool light_load = false;  // the server had time to spare: its timer can be held to account
  // No server holds more at once than the client has in flight.
  std::optional<std::int64_t> in_flight_limit;
};

inline constexpr double kLittleTolerance = 0.03;
inline constexpr std::chrono::microseconds kLateTolerance{
    1500};  // p99 of held time beyond the delay
// Below this many held requests their 99th percentile is their maximum: the median is judged
// instead.
inline constexpr std::uint64_t kHeldForP99 = 200;

// One sentence a rule that was broken, with the figures; empty for a valid row.
std::vector<std::string> Violations(const RowFacts& facts);

}  // namespace rpcbench
