// For tests of load policies: a client that answers as a script says.
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "echo/client.h"

namespace rpcbench {

// Answers calls on a thread of its own, each as the script says. The script gets the number of the
// call.
class ScriptedClient final : public EchoClient {
 public:
  enum class Answer { kEcho, kWrong, kFail, kNone, kTwice, kAnotherId };
  using Script = std::function<Answer(int call)>;

  ScriptedClient(ReplySink& sink, Script script)
      : sink_(sink), script_(std::move(script)), thread_([this] { Run(); }) {}

  ~ScriptedClient() override {
    stop_ = true;
    thread_.join();
  }

  void Call(CallId id, const Record& record) override {
    const std::lock_guard lock(mutex_);
    calls_.push_back({id, &record});
    most_ = std::max(most_, calls_.size());
  }

  std::size_t most_waiting() {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  struct Waiting {
    CallId id;
    const Record* record;
  };

  void Run() {
    for (int call = 0; !stop_;) {
      Waiting next{};
      {
        const std::lock_guard lock(mutex_);
        if (!calls_.empty()) {
          next = calls_.front();
          calls_.pop_front();
        }
      }
      if (next.record == nullptr)
        std::this_thread::yield();
      else
        Reply(next, script_(call++));
    }
  }

  void Reply(const Waiting& call, Answer answer) {
    Record reply = *call.record;
    switch (answer) {
      case Answer::kNone:
        return;
      case Answer::kFail:
        return sink_.OnReply(call.id, Outcome::kFailed, {});
      case Answer::kWrong:
        ++reply.number;
        break;
      case Answer::kAnotherId:
        sink_.OnReply(call.id + (CallId{1} << 32), Outcome::kOk, reply);
        break;
      case Answer::kTwice:
        sink_.OnReply(call.id, Outcome::kOk, reply);
        break;
      case Answer::kEcho:
        break;
    }
    sink_.OnReply(call.id, Outcome::kOk, reply);
  }

  ReplySink& sink_;
  const Script script_;
  std::mutex mutex_;
  std::deque<Waiting> calls_;
  std::size_t most_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace rpcbench
