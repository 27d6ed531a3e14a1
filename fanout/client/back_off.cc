#include "fanout/client/back_off.h"

#include <algorithm>
#include <utility>

namespace rpcbench {

using std::chrono::milliseconds;

BackOff::BackOff(BackOffOptions options) : options_(std::move(options)), retry_(options_.retry) {}

milliseconds BackOff::AfterFailure() {
  const milliseconds most = std::max(options_.limit, retry_);
  milliseconds whole = std::max(retry_, milliseconds(1));
  for (int i = 0; i < failures_ && whole < most; ++i) whole *= 2;
  whole = std::min(whole, most);
  ++failures_;
  const double jittered = static_cast<double>(whole.count()) * (0.5 + options_.random() / 2);
  return std::max(milliseconds(static_cast<milliseconds::rep>(jittered)), milliseconds(1));
}

}  // namespace rpcbench
