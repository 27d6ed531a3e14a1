// What all streams of a load saw since the mark.
#pragma once

#include <chrono>
#include <cstdint>

#include "measure/latency.h"

namespace rpcbench {

struct StreamTally {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t gaps = 0;
  std::uint64_t disorder = 0;
  std::uint64_t resets = 0;
  std::uint64_t heartbeats = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t closed = 0;
  std::uint64_t late_events = 0;
  LatencyLog latency;  // of events that say when they were sent
};

}  // namespace rpcbench
