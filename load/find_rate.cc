#include "load/find_rate.h"

#include <algorithm>
#include <cmath>

namespace rpcbench {

std::vector<RateStep> FindRate(const RateSearch& search,
                               const std::function<RateStep(double rate)>& probe) {
  std::vector<RateStep> steps;
  double low = 0;   // holds, or 0
  double high = 0;  // does not, or 0
  for (double rate = search.first; rate >= search.least;) {
    steps.push_back(probe(rate));
    (steps.back().held ? low : high) = rate;
    if (high == 0) {
      if (rate >= search.most) break;
      rate = std::min(2 * rate, search.most);
    } else if (low == 0) {
      rate /= 2;
    } else {
      if (high <= low * (1 + search.precision)) break;
      rate = std::sqrt(low * high);
    }
  }
  return steps;
}

const RateStep* BestOf(const std::vector<RateStep>& steps) {
  const RateStep* best = nullptr;
  for (const RateStep& step : steps) {
    if (step.held && (best == nullptr || step.rate > best->rate)) best = &step;
  }
  return best;
}

}  // namespace rpcbench
