// Waits of the main thread: with a deadline, and ended by Ctrl-C.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

namespace rpcbench {

// From the first SIGINT or SIGTERM on Interrupted() is true; the second one ends the program as
// usual.
void CatchInterrupts();
bool Interrupted();
// Throws Error.
void ThrowIfInterrupted();

// Something that other threads make true and the main thread waits for.
class SignalWait final {
 public:
  // Any thread, after what the waiter looks at has changed.
  void Notify() {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  // True once done() is; false at the deadline. Throws Error if interrupted.
  template <class Done>
  bool Until(std::chrono::steady_clock::time_point deadline, Done done) {
    std::unique_lock lock(mutex_);
    while (!done()) {
      ThrowIfInterrupted();
      const auto now = std::chrono::steady_clock::now();
      if (now >= deadline) return false;
      // A signal handler cannot notify: look at it now and then.
      changed_.wait_until(lock, std::min(deadline, now + std::chrono::milliseconds(50)));
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace rpcbench
