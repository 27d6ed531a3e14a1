// The closed loop: a fixed number of calls in flight; each reply starts the next call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "load/call_book.h"
#include "load/tally.h"
#include "process/signal_wait.h"

namespace rpcbench {

// Slot s belongs to connection s mod clients, so calls are spread evenly. The load never pauses
// between windows.
//
// A window counts a call that lies across one of its edges by the part of the call's time that lies
// inside. Counting replies alone would be off by up to a round (calls in flight / calls in the
// window), because equal delays make replies come in bursts; with weights the rate is right for any
// window.
class ClosedLoop final : public ReplySink {
 public:
  ClosedLoop(const Dataset& dataset, NanRule nan_rule, std::uint32_t in_flight,
             std::size_t connections);

  // Starts the calls, in steps, each when half of the one before has answered. Throws Error if a
  // step takes longer than `patience`. `clients` outlive the load.
  void Start(EchoClients& clients, std::chrono::nanoseconds patience);

  // Returns when every slot has had a reply and `least` has passed: how long the former took, which
  // is about the time of a call. Throws Error if that takes longer than `patience`, if a call
  // fails, or if interrupted; so do the others.
  std::chrono::nanoseconds WarmUp(std::chrono::nanoseconds least,
                                  std::chrono::nanoseconds patience);

  // A window of `length`. at_end() runs when it ends, while the load goes on. Returns when every
  // call that touched the window is settled; then tally() has its figures.
  void Measure(std::chrono::nanoseconds length, std::chrono::nanoseconds patience,
               const std::function<void()>& at_end);

  // Replies start no calls from now on.
  void Stop() { stopping_ = true; }

  const Tally& tally() const { return tally_; }

  void OnReply(CallId id, Outcome outcome, const RecordView& record) override;

 private:
  using Clock = CallBook::Clock;
  struct SlotState {
    std::uint32_t closed_window = 0;  // the last window that this slot is done with
    bool warm = false;
  };

  // Starts a window now. Throws Error if a call has failed before.
  void Open(std::chrono::nanoseconds length);
  void Issue(std::uint32_t slot, std::uint64_t index);
  void Account(std::uint32_t slot, const CallBook::Settled& settled);
  void Leave(SlotState& state, std::uint32_t window);
  void Bury(std::uint32_t slot, Outcome outcome);

  CallBook book_;
  Tally tally_;
  EchoClients* clients_ = nullptr;
  std::vector<SlotState> states_;
  SignalWait changed_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint32_t> cold_slots_;
  std::atomic<std::uint32_t> dead_slots_{0};  // their call failed: they start no more

  // Keeps a slot's death apart from a window's start.
  std::mutex death_;

  // The current window. The times are written before window_ is raised, with no slot open.
  std::atomic<std::uint32_t> window_{0};
  std::atomic<std::uint32_t> open_slots_{0};  // still to settle a call that may touch the window
  Clock::time_point begin_;
  Clock::time_point end_;
};

}  // namespace rpcbench
