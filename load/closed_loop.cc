#include "load/closed_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "echo/error.h"

namespace rpcbench {
namespace {

// Faster than any framework here echoes, on one core: room for the samples of a window.
constexpr double kMostCallsPerSecond = 8e6;
// Slots walk through the data set with this stride, so that a slot does not meet the same record
// again and again.
constexpr std::uint64_t kStride = 7919;
// The load doubles from here to what was asked for, so that a server does not begin with a
// stampede.
constexpr std::uint32_t kFirstCalls = 1000;

std::size_t SamplesALane(std::chrono::nanoseconds length, std::size_t connections,
                         std::uint32_t in_flight) {
  const double seconds = std::chrono::duration<double>(length).count();
  // A lane may get several times its share.
  const double lanes = std::max<double>(1, static_cast<double>(connections) / 4);
  return static_cast<std::size_t>(seconds * kMostCallsPerSecond / lanes) + in_flight;
}

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

ClosedLoop::ClosedLoop(const Dataset& dataset, NanRule nan_rule, std::uint32_t in_flight,
                       std::size_t connections)
    : book_(dataset, nan_rule, in_flight),
      tally_(connections),
      states_(in_flight),
      cold_slots_(in_flight) {}

void ClosedLoop::Start(EchoClients& clients, std::chrono::nanoseconds patience) {
  clients_ = &clients;
  const auto deadline = Clock::now() + patience;
  std::uint32_t started = 0;
  for (std::uint32_t target = kFirstCalls; started < book_.slots(); target *= 2) {
    const std::uint32_t earlier = started;
    for (; started < std::min(target, book_.slots()); ++started) Issue(started, started);
    // Half of the newest have answered: the next step doubles the load.
    const std::uint32_t cold = book_.slots() - started + (started - earlier) / 2;
    if (!changed_.Until(deadline, [&] { return cold_slots_ <= cold || dead_slots_ > 0; })) {
      const std::uint32_t unsent = book_.slots() - started;
      throw Error(fmt::format("{} of the first {} calls had no reply after {:.0f} s",
                              cold_slots_.load() - unsent, started, Seconds(patience)));
    }
  }
}

std::chrono::nanoseconds ClosedLoop::WarmUp(std::chrono::nanoseconds least,
                                            std::chrono::nanoseconds patience) {
  const auto started = Clock::now();
  const bool warm =
      changed_.Until(started + patience, [&] { return cold_slots_ == 0 || dead_slots_ > 0; });
  if (dead_slots_ > 0) {
    const OutcomeCounts counts = tally_.counts();
    throw Error(
        fmt::format("{} of {} calls went wrong in the warm-up: {} failed, {} timed out, {} "
                    "cancelled, {} replies differed",
                    dead_slots_.load(), book_.slots(), counts.failed, counts.timed_out,
                    counts.cancelled, counts.mismatched));
  }
  if (!warm) {
    throw Error(fmt::format("{} of {} calls had no reply after {:.0f} s of warm-up",
                            cold_slots_.load(), book_.slots(), Seconds(patience)));
  }
  const auto round = Clock::now() - started;
  changed_.Until(started + least, [&] { return dead_slots_ > 0; });
  return round;
}

void ClosedLoop::Measure(std::chrono::nanoseconds length, std::chrono::nanoseconds patience,
                         const std::function<void()>& at_end) {
  tally_.Reset(SamplesALane(length, clients_->size(), book_.slots()));
  Open(length);
  const auto all_closed = [&] { return open_slots_.load(std::memory_order_acquire) == 0; };
  changed_.Until(end_, all_closed);
  at_end();
  if (!changed_.Until(end_ + patience, all_closed)) {
    throw Error(fmt::format("{} of {} calls had no reply {:.0f} s after the window",
                            open_slots_.load(), book_.slots(), Seconds(patience)));
  }
}

void ClosedLoop::Open(std::chrono::nanoseconds length) {
  const std::lock_guard lock(death_);
  if (dead_slots_ > 0) {
    throw Error(fmt::format("{} of {} calls went wrong between two windows", dead_slots_.load(),
                            book_.slots()));
  }
  open_slots_ = book_.slots();
  begin_ = Clock::now();
  end_ = begin_ + length;
  window_.fetch_add(1, std::memory_order_release);
}

void ClosedLoop::OnReply(CallId id, Outcome outcome, const RecordView& record) {
  const CallBook::Settled settled = book_.Finish(id, outcome, record);
  if (!settled.known) return tally_.AddDoubled();
  const std::uint32_t slot = SlotOf(id);
  if (settled.outcome != Outcome::kOk) {
    if (!stopping_) Bury(slot, settled.outcome);
    return;
  }
  Account(slot, settled);
  if (!stopping_.load(std::memory_order_relaxed)) Issue(slot, book_.IndexOf(slot) + kStride);
}

void ClosedLoop::Issue(std::uint32_t slot, std::uint64_t index) {
  const CallId id = book_.Begin(slot, index);
  (*clients_)[slot % clients_->size()]->Call(id, book_.RecordOf(slot));
}

void ClosedLoop::Account(std::uint32_t slot, const CallBook::Settled& settled) {
  SlotState& state = states_[slot];
  if (!state.warm) {
    state.warm = true;
    if (cold_slots_.fetch_sub(1) == 1) changed_.Notify();
  }
  const std::uint32_t window = window_.load(std::memory_order_acquire);
  if (state.closed_window == window || settled.end <= begin_) return;
  const auto latency = settled.end - settled.start;
  const auto inside = std::min(settled.end, end_) - std::max(settled.start, begin_);
  if (settled.start < end_) {
    tally_.AddOk(slot % clients_->size(), latency, inside, settled.end <= end_);
  }
  if (settled.end > end_) Leave(state, window);
}

void ClosedLoop::Leave(SlotState& state, std::uint32_t window) {
  state.closed_window = window;
  if (open_slots_.fetch_sub(1, std::memory_order_acq_rel) == 1) changed_.Notify();
}

void ClosedLoop::Bury(std::uint32_t slot, Outcome outcome) {
  const std::lock_guard lock(death_);
  tally_.AddError(outcome);
  SlotState& state = states_[slot];
  ++dead_slots_;
  const std::uint32_t window = window_.load(std::memory_order_acquire);
  if (state.closed_window != window) Leave(state, window);
  changed_.Notify();
}

}  // namespace rpcbench
