// Every call of a row: when it started, what it sent, and whether its reply is right.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "echo/client.h"
#include "echo/dataset.h"

namespace rpcbench {

// One entry a slot; nothing is allocated for a call. A slot is used by one thread at a time: the
// one that starts its call, then the one that brings the reply. A reply that comes twice may meet
// the next call of its slot: it is told apart by the id alone, which is atomic for that.
class CallBook final {
 public:
  using Clock = std::chrono::steady_clock;

  struct Settled {
    bool known = false;  // false: no such call was in flight (a doubled or invented reply); the
                         // rest is then void
    Outcome outcome = Outcome::kFailed;  // kMismatch if the reply differs from what was sent
    Clock::time_point start;
    Clock::time_point end;
  };

  // `dataset` outlives the book.
  CallBook(const Dataset& dataset, NanRule nan_rule, std::uint32_t slots)
      : dataset_(dataset), nan_rule_(nan_rule), entries_(slots) {}

  std::uint32_t slots() const { return static_cast<std::uint32_t>(entries_.size()); }

  // Record number `index` of the data set is about to be sent; its clock starts now, or at `start`.
  CallId Begin(std::uint32_t slot, std::uint64_t index, Clock::time_point start = Clock::now()) {
    Entry& entry = entries_[slot];
    entry.index = index;
    entry.start = start;
    const CallId id = MakeCallId(slot, ++entry.generation);
    entry.in_flight.store(id, std::memory_order_release);
    return id;
  }

  const Record& RecordOf(std::uint32_t slot) const { return dataset_[entries_[slot].index]; }
  std::uint64_t IndexOf(std::uint32_t slot) const { return entries_[slot].index; }

  // The clock stops first; only then is the reply compared with what was sent.
  Settled Finish(CallId id, Outcome outcome, const RecordView& reply) {
    Settled settled;
    settled.end = Clock::now();
    if (SlotOf(id) >= entries_.size()) return settled;
    Entry& entry = entries_[SlotOf(id)];
    if (id == kNone || entry.in_flight.load(std::memory_order_acquire) != id) return settled;
    entry.in_flight.store(kNone, std::memory_order_relaxed);
    settled.known = true;
    settled.start = entry.start;
    settled.outcome = outcome;
    if (outcome == Outcome::kOk && !SameRecord(dataset_[entry.index], reply, nan_rule_)) {
      settled.outcome = Outcome::kMismatch;
    }
    return settled;
  }

 private:
  static constexpr CallId kNone = 0;  // generations begin at 1

  struct Entry {
    Clock::time_point start;
    std::uint64_t index = 0;
    std::uint32_t generation = 0;
    std::atomic<CallId> in_flight{kNone};
  };

  const Dataset& dataset_;
  const NanRule nan_rule_;
  std::vector<Entry> entries_;
};

}  // namespace rpcbench
