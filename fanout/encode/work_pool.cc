#include "fanout/encode/work_pool.h"

#include "measure/thread_cpu.h"

namespace rpcbench {

WorkPool::WorkPool(int threads) {
  for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { Help(); });
}

WorkPool::~WorkPool() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  begun_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

std::chrono::nanoseconds WorkPool::Run(std::size_t count,
                                       const std::function<void(std::size_t)>& work) {
  const Job job{&work, count};
  if (helpers_.empty() || count < 2) {
    next_ = 0;
    return Work(job);
  }
  {
    const std::lock_guard lock(mutex_);
    job_ = job;
    next_ = 0;
    working_ = helpers_.size();
    cpu_ = {};
    ++round_;
  }
  begun_.notify_all();
  const auto own = Work(job);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
  return own + cpu_;
}

void WorkPool::Help() {
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = 0;;) {
    begun_.wait(lock, [&] { return ended_ || round_ != seen; });
    if (ended_) return;
    seen = round_;
    const Job job = job_;
    lock.unlock();
    const auto cpu = Work(job);
    lock.lock();
    cpu_ += cpu;
    if (--working_ == 0) done_.notify_one();
  }
}

std::chrono::nanoseconds WorkPool::Work(const Job& job) {
  const auto began = ThreadCpu();
  for (std::size_t i = next_++; i < job.count; i = next_++) (*job.work)(i);
  return ThreadCpu() - began;
}

}  // namespace rpcbench
