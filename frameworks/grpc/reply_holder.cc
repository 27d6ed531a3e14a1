// See reply_holder.h: the delay line on a thread of its own, because the callback service has no
// loop that could drive it, or an Alarm a call.
#include "frameworks/grpc/reply_holder.h"

#include <grpcpp/alarm.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "echo/delay_line.h"
#include "frameworks/grpc/server_setup.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;

class LineHolder final : public ReplyHolder {
 public:
  LineHolder(const ServerOptions& options, HoldMeter& meter)
      : line_(options, meter), thread_([this] { Run(); }) {}

  ~LineHolder() override {
    Close();
    thread_.join();
  }

  void Hold(PendingReply reply, bool flag) override {
    const auto taken = Clock::now();
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    const auto due = line_.NextDue();
    line_.Push(std::move(reply), flag, taken);
    if (line_.NextDue() != due) wake_.notify_one();
  }

  void Close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    line_.Clear();
    wake_.notify_one();
  }

 private:
  void Run() {
    std::vector<PendingReply> due;
    std::unique_lock lock(mutex_);
    while (!closed_) {
      if (const auto next = line_.NextDue()) {
        wake_.wait_until(lock, *next);
      } else {
        wake_.wait(lock);
      }
      line_.ReleaseDue([&](PendingReply reply) { due.push_back(std::move(reply)); });
      if (due.empty()) continue;
      lock.unlock();
      for (PendingReply& reply : due) std::move(reply).Send();
      due.clear();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  DelayLine<PendingReply> line_;
  bool closed_ = false;
  std::thread thread_;  // last: everything above exists when it starts
};

class AlarmHolder final : public ReplyHolder {
 public:
  AlarmHolder(const ServerOptions& options, HoldMeter& meter) : options_(options), meter_(meter) {}

  void Hold(PendingReply reply, bool flag) override {
    const auto taken = Clock::now();
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    meter_.Enter();
    const auto held = held_.emplace(held_.end(), std::move(reply), taken);
    // Under the lock, so that Close finds no alarm that is still to be set. gRPC runs the function
    // on a thread of its own, never in here.
    held->alarm.Set(ToGrpcTime(taken + options_.DelayFor(flag)),
                    [this, held](bool expired) { Release(held, expired); });
  }

  void Close() override {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (Held& held : held_) held.alarm.Cancel();
  }

 private:
  struct Held {
    Held(PendingReply reply_in, Clock::time_point taken_in)
        : reply(std::move(reply_in)), taken(taken_in) {}
    PendingReply reply;
    Clock::time_point taken;
    grpc::Alarm alarm;
  };

  void Release(std::list<Held>::iterator held, bool expired) {
    std::list<Held> mine;
    {
      const std::lock_guard lock(mutex_);
      mine.splice(mine.end(), held_, held);
    }
    if (!expired) return meter_.Drop();
    meter_.Leave(Clock::now() - held->taken);
    std::move(held->reply).Send();
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  std::mutex mutex_;
  std::list<Held> held_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<ReplyHolder> MakeReplyHolder(const ServerOptions& options, HoldMeter& meter) {
  if (options.delay_source == DelaySource::kNative) {
    return std::make_unique<AlarmHolder>(options, meter);
  }
  return std::make_unique<LineHolder>(options, meter);
}

}  // namespace rpcbench
