// When the calls of an open loop are due.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rpcbench {

// kEven: one every 1 / rate. kPoisson: gaps drawn from the exponential distribution of that mean,
// as calls of many clients who know nothing of each other come.
enum class Arrival { kEven, kPoisson };

const char* ToString(Arrival arrival);  // "even", "poisson"
// Throws Error that lists the names there are.
Arrival ParseArrival(std::string_view name);

// Ascending times since the start, all less than `length`, at `rate` calls a second. The same seed
// gives the same schedule.
std::vector<std::chrono::nanoseconds> MakeSchedule(Arrival arrival, double rate,
                                                   std::chrono::nanoseconds length,
                                                   std::uint64_t seed);

}  // namespace rpcbench
