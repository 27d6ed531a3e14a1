// The same small work for many things, on several threads at once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rpcbench {

// Used by one thread, which is one of those that work.
class WorkPool final {
 public:
  explicit WorkPool(int threads);
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  // Calls work(i) once for each i below `count`, in any order and on any of the threads, and
  // returns when all is done: what they wrote is seen then. `work` must not throw. The result is
  // the processor time that all threads together spent in it.
  std::chrono::nanoseconds Run(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  struct Job {
    const std::function<void(std::size_t)>* work = nullptr;
    std::size_t count = 0;
  };

  void Help();
  std::chrono::nanoseconds Work(const Job& job);

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable done_;
  std::uint64_t round_ = 0;  // these, and job_, under mutex_
  std::size_t working_ = 0;
  std::chrono::nanoseconds cpu_{0};
  bool ended_ = false;
  Job job_;
  std::atomic<std::size_t> next_{0};
  std::vector<std::thread> helpers_;  // last: they use the rest
};

}  // namespace rpcbench
