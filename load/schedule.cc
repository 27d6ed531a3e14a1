#include "load/schedule.h"

#include <cmath>
#include <random>

#include "echo/error.h"

namespace rpcbench {

const char* ToString(Arrival arrival) {
  return arrival == Arrival::kEven ? "even" : "poisson";
}

Arrival ParseArrival(std::string_view name) {
  for (const Arrival arrival : {Arrival::kEven, Arrival::kPoisson}) {
    if (name == ToString(arrival)) return arrival;
  }
  throw Error("--arrival " + std::string(name) + ": give even or poisson");
}

std::vector<std::chrono::nanoseconds> MakeSchedule(Arrival arrival, double rate,
                                                   std::chrono::nanoseconds length,
                                                   std::uint64_t seed) {
  const double gap = 1e9 / rate;
  const auto end = static_cast<double>(length.count());
  std::mt19937_64 random(seed);
  // In (0, 1], from the upper 53 bits: the standard's distributions differ between libraries.
  const auto draw = [&] { return (static_cast<double>(random() >> 11) + 1) / 9007199254740992.0; };
  std::vector<std::chrono::nanoseconds> schedule;
  schedule.reserve(static_cast<std::size_t>(end / gap * 1.1) + 16);
  double due = 0;
  for (std::uint64_t call = 1; due < end; ++call) {
    schedule.emplace_back(static_cast<std::int64_t>(due));
    // Of even ones each is counted from the start, so that no error adds up.
    due =
        arrival == Arrival::kEven ? static_cast<double>(call) * gap : due - std::log(draw()) * gap;
  }
  return schedule;
}

}  // namespace rpcbench
