// The burst: all calls are started at once, and the clock stops when the last one is settled.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "load/call_book.h"
#include "load/tally.h"
#include "process/signal_wait.h"

namespace rpcbench {

class Burst final : public ReplySink {
 public:
  // At most `most_calls` in a Run.
  Burst(const Dataset& dataset, NanRule nan_rule, std::uint32_t most_calls,
        std::size_t connections);

  // Makes room for the samples of `runs` Runs of `calls` and forgets the earlier ones.
  void Reset(std::uint32_t calls, std::int64_t runs);

  // Starts `calls` calls, dealt to the connections in turn, and waits for all. Returns the time
  // from before the first to after the last. Throws Error if that takes longer than `patience` or
  // if interrupted.
  std::chrono::nanoseconds Run(EchoClients& clients, std::uint32_t calls,
                               std::chrono::nanoseconds patience);

  const Tally& tally() const { return tally_; }

  void OnReply(CallId id, Outcome outcome, const RecordView& record) override;

 private:
  CallBook book_;
  Tally tally_;
  const std::size_t connections_;
  std::uint64_t next_index_ = 0;
  SignalWait changed_;
  std::atomic<std::uint32_t> left_{0};
  std::atomic<std::int64_t> last_end_ns_{0};  // steady clock, of the latest settled call
};

}  // namespace rpcbench
