// How many bytes of replayed logs joiners may cause a second. A join costs the server little and
// the network much.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace rpcbench {

// One thread. Full at first; holds one second's bytes at most. A replay is let through whole while
// anything is left, so that one larger than the rate still comes through.
class JoinBudget final {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  JoinBudget(std::size_t bytes_per_second, TimePoint now)
      : rate_(static_cast<double>(bytes_per_second)), left_(rate_), filled_(now) {}

  void Refill(TimePoint now) {
    if (now <= filled_) {
      return;
    }
    const std::chrono::duration<double> passed = now - filled_;
    left_ = std::min(rate_, left_ + rate_ * passed.count());
    filled_ = now;
  }

  // Whether the next joiner may be served now; remembers that one had to wait.
  bool Allows() {
    waiting_ = waiting_ || left_ <= 0;
    return left_ > 0;
  }
  void Wait() { waiting_ = true; }  // for another reason than the budget
  void Spend(std::size_t bytes) { left_ -= static_cast<double>(bytes); }

  // Whether one that had to wait may be served now. Forgets that it had to.
  bool TakeWaiting() {
    if (!waiting_ || left_ <= 0) {
      return false;
    }
    waiting_ = false;
    return true;
  }

 private:
  double rate_;
  double left_;
  TimePoint filled_;
  bool waiting_ = false;
};

}  // namespace rpcbench
