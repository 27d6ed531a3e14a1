#include "load/steady.h"

#include <fmt/format.h>

#include <thread>

#include "echo/error.h"

namespace rpcbench {

using Clock = CallBook::Clock;

Steady::Steady(const Dataset& dataset, NanRule nan_rule, std::uint32_t most_calls,
               std::size_t connections)
    : book_(dataset, nan_rule, most_calls), tally_(connections), connections_(connections) {}

void Steady::Reset(std::uint32_t calls, std::int64_t runs) {
  tally_.Reset(calls * static_cast<std::size_t>(runs));
}

std::chrono::nanoseconds Steady::Run(EchoClients& clients, std::uint32_t calls,
                                     std::chrono::nanoseconds interval,
                                     std::chrono::nanoseconds patience) {
  left_ = calls;
  const auto started = Clock::now();
  for (std::uint32_t slot = 0; slot < calls; ++slot) {
    const auto due = started + slot * interval;
    if (Clock::now() < due) std::this_thread::sleep_until(due);
    ThrowIfInterrupted();
    const CallId id = book_.Begin(slot, slot, due);
    clients[slot % connections_]->Call(id, book_.RecordOf(slot));
  }
  const auto settled = [&] { return left_.load(std::memory_order_acquire) == 0; };
  if (!changed_.Until(Clock::now() + patience, settled)) {
    throw Error(fmt::format("{} of {} calls had no reply after {:.0f} s", left_.load(), calls,
                            std::chrono::duration<double>(patience).count()));
  }
  return Clock::now() - started;
}

void Steady::OnReply(CallId id, Outcome outcome, const RecordView& record) {
  const bool known_slot = SlotOf(id) < book_.slots();
  const bool slow = known_slot && book_.RecordOf(SlotOf(id)).flag;
  const CallBook::Settled settled = book_.Finish(id, outcome, record);
  if (!settled.known) return tally_.AddDoubled();
  if (settled.outcome == Outcome::kOk) {
    const auto latency = settled.end - settled.start;
    tally_.AddOk(SlotOf(id) % connections_, latency, latency, !slow);
  } else {
    tally_.AddError(settled.outcome);
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) changed_.Notify();
}

}  // namespace rpcbench
