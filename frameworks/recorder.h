// A sink for tests, which remembers every reply.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "echo/client.h"

namespace rpcbench {

inline constexpr auto kPatience =
    std::chrono::seconds(30);  // the longest that a healthy case may wait, sanitizers included

// Remembers every reply; a test waits for a number of them.
class Recorder final : public ReplySink {
 public:
  struct Reply {
    CallId id;
    Outcome outcome;
    Record record;
  };

  void OnReply(CallId id, Outcome outcome, const RecordView& record) override {
    std::function<void(CallId, Outcome)> then;
    {
      const std::lock_guard lock(mutex_);
      Record copy;
      if (outcome == Outcome::kOk) {
        copy = {record.flag, record.number, record.real, std::string(record.text)};
      }
      replies_.push_back({id, outcome, std::move(copy)});
      then = then_;
    }
    arrived_.notify_all();
    if (then) then(id, outcome);
  }

  // Runs after each reply, on the thread that brought it.
  void Then(std::function<void(CallId, Outcome)> then) {
    const std::lock_guard lock(mutex_);
    then_ = std::move(then);
  }

  // True once there are `count` replies.
  bool WaitFor(std::size_t count, std::chrono::nanoseconds patience = kPatience) {
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, patience, [&] { return replies_.size() >= count; });
  }

  std::vector<Reply> replies() {
    const std::lock_guard lock(mutex_);
    return {replies_.begin(), replies_.end()};
  }

  std::size_t Count(Outcome outcome) {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const Reply& reply : replies_) count += reply.outcome == outcome;
    return count;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Reply> replies_;
  std::function<void(CallId, Outcome)> then_;
};

}  // namespace rpcbench
