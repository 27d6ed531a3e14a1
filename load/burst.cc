#include "load/burst.h"

#include <fmt/format.h>

#include "echo/error.h"

namespace rpcbench {

using Clock = CallBook::Clock;

Burst::Burst(const Dataset& dataset, NanRule nan_rule, std::uint32_t most_calls,
             std::size_t connections)
    : book_(dataset, nan_rule, most_calls), tally_(connections), connections_(connections) {}

void Burst::Reset(std::uint32_t calls, std::int64_t runs) {
  const std::size_t a_lane = (calls + connections_ - 1) / connections_;
  tally_.Reset(a_lane * static_cast<std::size_t>(runs));
}

std::chrono::nanoseconds Burst::Run(EchoClients& clients, std::uint32_t calls,
                                    std::chrono::nanoseconds patience) {
  left_ = calls;
  const auto started = Clock::now();
  last_end_ns_ = started.time_since_epoch().count();
  for (std::uint32_t slot = 0; slot < calls; ++slot) {
    const CallId id = book_.Begin(slot, next_index_++);
    clients[slot % connections_]->Call(id, book_.RecordOf(slot));
  }
  const auto settled = [&] { return left_.load(std::memory_order_acquire) == 0; };
  if (!changed_.Until(started + patience, settled)) {
    throw Error(fmt::format("{} of {} calls had no reply after {:.0f} s", left_.load(), calls,
                            std::chrono::duration<double>(patience).count()));
  }
  return Clock::time_point(std::chrono::nanoseconds(last_end_ns_)) - started;
}

void Burst::OnReply(CallId id, Outcome outcome, const RecordView& record) {
  const CallBook::Settled settled = book_.Finish(id, outcome, record);
  if (!settled.known) return tally_.AddDoubled();
  if (settled.outcome == Outcome::kOk) {
    const auto latency = settled.end - settled.start;
    tally_.AddOk(SlotOf(id) % connections_, latency, latency, true);
  } else {
    tally_.AddError(settled.outcome);
  }
  const std::int64_t end = settled.end.time_since_epoch().count();
  std::int64_t last = last_end_ns_.load(std::memory_order_relaxed);
  while (end > last && !last_end_ns_.compare_exchange_weak(last, end, std::memory_order_relaxed)) {
  }
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) changed_.Notify();
}

}  // namespace rpcbench
