// The highest rate that holds: doubled until one does not, then halved in between.
#pragma once

#include <functional>
#include <vector>

namespace rpcbench {

struct RateStep {
  double rate = 0;     // calls a second that were offered
  double qps = 0;      // that came back meanwhile
  double latency = 0;  // seconds, of the percentile that has the target
  bool held = false;
};

struct RateSearch {
  double first = 1000;      // calls a second; halved while it does not hold
  double least = 1;         // below this nothing is tried
  double most = 10e6;       // nor above this
  double precision = 0.05;  // of the rate: the search ends where the next higher one is known not
                            // to hold
};

// Probes rates in turn and returns all steps in the order they were tried. The best is the highest
// rate whose step held; there may be none.
std::vector<RateStep> FindRate(const RateSearch& search,
                               const std::function<RateStep(double rate)>& probe);

// The step with the highest rate that held; null if none did.
const RateStep* BestOf(const std::vector<RateStep>& steps);

}  // namespace rpcbench
