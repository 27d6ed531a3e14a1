#include "load/open_loop.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <thread>

#include "echo/error.h"

namespace rpcbench {

OpenLoop::OpenLoop(const Dataset& dataset, NanRule nan_rule, std::uint32_t slots,
                   std::size_t connections)
    : book_(dataset, nan_rule, slots),
      states_(slots),
      lanes_(connections),
      due_(connections),
      sent_(connections) {
  // Backwards, so that the first slot is taken first.
  for (std::uint32_t slot = slots; slot-- > 0;) free_.push_back(slot);
}

void OpenLoop::Run(EchoClients& clients, const Plan& plan, const std::function<void()>& at_end) {
  // A sleep may end up to 50 us late by default, only to save wake-ups.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  Prepare(plan);
  const auto started = Clock::now();
  begin_ = started + plan.begin;
  end_ = started + plan.end;
  for (std::uint64_t number = 0; number < plan.schedule.size(); ++number) {
    const auto due = started + plan.schedule[number];
    if (Clock::now() < due) std::this_thread::sleep_until(due);
    ThrowIfInterrupted();
    Send(clients, number, due, plan);
  }
  std::this_thread::sleep_until(end_);
  at_end();
  const auto settled = [&] { return left_.load(std::memory_order_acquire) == 0; };
  if (!changed_.Until(Clock::now() + plan.patience, settled)) {
    throw Error(fmt::format("{} of {} calls had no reply {:.0f} s after the last was sent",
                            left_.load(), plan.schedule.size(),
                            std::chrono::duration<double>(plan.patience).count()));
  }
  lateness_ = {};
  lateness_.Merge(late_);
  lateness_.Sort();
}

void OpenLoop::Prepare(const Plan& plan) {
  due_in_window_ = 0;
  for (const auto due : plan.schedule) due_in_window_ += due >= plan.begin ? 1 : 0;
  // Calls are dealt to the connections in turn.
  const std::size_t a_lane = due_in_window_ / lanes_.size() + 1;
  due_.Reset(a_lane);
  sent_.Reset(a_lane);
  late_.Reset(due_in_window_);
  for (Lane& lane : lanes_) lane.ended = 0;
  left_ = plan.schedule.size();
}

void OpenLoop::Send(EchoClients& clients, std::uint64_t number, Clock::time_point due,
                    const Plan& plan) {
  const std::uint32_t slot = TakeSlot(plan);
  const auto connection = static_cast<std::uint32_t>(number % lanes_.size());
  const CallId id = book_.Begin(slot, number, due);
  const auto now = Clock::now();
  if (due >= begin_) late_.Add(now - due);
  states_[slot] = {now, connection};
  clients[connection]->Call(id, book_.RecordOf(slot));
}

std::uint32_t OpenLoop::TakeSlot(const Plan& plan) {
  if (!HasSlot()) {
    starving_ = true;
    const bool found = changed_.Until(Clock::now() + plan.patience, [this] { return HasSlot(); });
    starving_ = false;
    if (!found) {
      throw Error(fmt::format("all {} calls that may be in flight have no reply after {:.0f} s",
                              states_.size(),
                              std::chrono::duration<double>(plan.patience).count()));
    }
  }
  const std::lock_guard lock(mutex_);
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  return slot;
}

bool OpenLoop::HasSlot() {
  const std::lock_guard lock(mutex_);
  return !free_.empty();
}

std::uint64_t OpenLoop::ended_in_window() const {
  std::uint64_t ended = 0;
  for (const Lane& lane : lanes_) ended += lane.ended;
  return ended;
}

void OpenLoop::OnReply(CallId id, Outcome outcome, const RecordView& record) {
  const CallBook::Settled settled = book_.Finish(id, outcome, record);
  if (!settled.known) return due_.AddDoubled();
  const std::uint32_t slot = SlotOf(id);
  const SlotState state = states_[slot];
  if (settled.outcome == Outcome::kOk) {
    if (settled.start >= begin_) {
      const auto latency = settled.end - settled.start;
      const auto since_send = settled.end - state.sent;
      due_.AddOk(state.connection, latency, latency, true);
      sent_.AddOk(state.connection, since_send, since_send, true);
    }
    if (settled.end >= begin_ && settled.end < end_) ++lanes_[state.connection].ended;
  } else {
    due_.AddError(settled.outcome);
  }
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(slot);
  }
  const bool last = left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  if (last || starving_) changed_.Notify();
}

}  // namespace rpcbench
