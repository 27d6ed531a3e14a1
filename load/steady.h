// A steady rate: calls leave on schedule, whatever became of the earlier ones; latency counts from
// the schedule.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "load/call_book.h"
#include "load/tally.h"
#include "process/signal_wait.h"

namespace rpcbench {

class Steady final : public ReplySink {
 public:
  // At most `most_calls` in a Run. A record whose flag is set is a slow one: it is counted, but its
  // latency is not sampled, for the question is how the others fare.
  Steady(const Dataset& dataset, NanRule nan_rule, std::uint32_t most_calls,
         std::size_t connections);

  // Makes room for the samples of `runs` Runs of `calls` and forgets the earlier ones.
  void Reset(std::uint32_t calls, std::int64_t runs);

  // Sends `calls` calls, one every `interval` (0: at once), and waits for all. Returns the time
  // from the first's schedule to the last reply. Throws Error if a reply takes longer than
  // `patience` or if interrupted.
  std::chrono::nanoseconds Run(EchoClients& clients, std::uint32_t calls,
                               std::chrono::nanoseconds interval,
                               std::chrono::nanoseconds patience);

  const Tally& tally() const { return tally_; }

  void OnReply(CallId id, Outcome outcome, const RecordView& record) override;

 private:
  CallBook book_;
  Tally tally_;
  const std::size_t connections_;
  SignalWait changed_;
  std::atomic<std::uint32_t> left_{0};
};

}  // namespace rpcbench
