// How long a client waits before it comes back.
#pragma once

#include <chrono>
#include <functional>

namespace rpcbench {

struct BackOffOptions {
  std::chrono::milliseconds retry{1000};    // until the server says otherwise
  std::chrono::milliseconds limit{30'000};  // of what failures make of it
  std::function<double()> random;           // uniform in [0, 1)
};

// One thread.
class BackOff final {
 public:
  explicit BackOff(BackOffOptions options);

  void SetRetry(std::chrono::milliseconds retry) { retry_ = retry; }
  void Opened() { failures_ = 0; }

  // A stream that was open ended: what the server asked for, which is its means to spread clients.
  std::chrono::milliseconds AfterEnd() const { return retry_; }

  // A connection came to nothing: doubled with each in a row, at most the limit (or `retry` where
  // that is longer), then jittered to between half of it and all, so that clients which failed
  // together do not return together. At least 1 ms.
  std::chrono::milliseconds AfterFailure();

 private:
  const BackOffOptions options_;
  std::chrono::milliseconds retry_;
  int failures_ = 0;  // in a row
};

}  // namespace rpcbench
