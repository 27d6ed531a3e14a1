// The open loop: calls leave on a schedule, whatever became of the earlier ones.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "load/call_book.h"
#include "load/tally.h"
#include "measure/latency.h"
#include "process/signal_wait.h"

namespace rpcbench {

// A call's latency counts from when it was due, so that a load which could not be sent is not taken
// for one that was answered fast. The time from when it was handed to the client is kept beside it.
class OpenLoop final : public ReplySink {
 public:
  // At most `slots` calls are in flight: one that is due while all are waits, and its time counts.
  OpenLoop(const Dataset& dataset, NanRule nan_rule, std::uint32_t slots, std::size_t connections);

  struct Plan {
    std::vector<std::chrono::nanoseconds> schedule;  // since the start, ascending
    std::chrono::nanoseconds begin{0};               // what is due before only warms up
    std::chrono::nanoseconds end{0};                 // of the window; nothing is due later
    std::chrono::nanoseconds patience{0};            // for a slot, and for the last reply
  };

  // Sends all calls of the plan and waits for their replies. at_end() runs when the window ends.
  // Throws Error if patience ends or if interrupted.
  void Run(EchoClients& clients, const Plan& plan, const std::function<void()>& at_end);

  // Of the calls that were due in the window of the last Run: how they ended, and their latencies
  // from when they were due. Errors are those of all calls.
  const Tally& tally() const { return due_; }
  LatencySet SinceSend() const { return sent_.Latencies(); }
  // How late the calls of the window were handed to their client.
  const LatencySet& lateness() const { return lateness_; }
  std::uint64_t due_in_window() const { return due_in_window_; }
  // Replies that came within the window, whenever their call was due.
  std::uint64_t ended_in_window() const;

  void OnReply(CallId id, Outcome outcome, const RecordView& record) override;

 private:
  using Clock = CallBook::Clock;
  struct SlotState {
    Clock::time_point sent;
    std::uint32_t connection = 0;
  };
  struct alignas(64) Lane {
    std::uint64_t ended = 0;
  };

  void Prepare(const Plan& plan);
  void Send(EchoClients& clients, std::uint64_t number, Clock::time_point due, const Plan& plan);
  std::uint32_t TakeSlot(const Plan& plan);
  bool HasSlot();

  CallBook book_;
  std::vector<SlotState> states_;
  std::vector<Lane> lanes_;
  Tally due_;
  Tally sent_;
  LatencyLog late_;
  LatencySet lateness_;
  std::uint64_t due_in_window_ = 0;
  Clock::time_point begin_;  // of the window
  Clock::time_point end_;

  std::mutex mutex_;
  std::vector<std::uint32_t> free_;  // under mutex_
  SignalWait changed_;
  std::atomic<bool> starving_{false};  // the sender waits for a slot
  std::atomic<std::uint64_t> left_{0};
};

}  // namespace rpcbench
