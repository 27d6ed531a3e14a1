// Where a stream takes its bytes from, and the ledger of what became of every event.
#pragma once

#include <cstdint>
#include <string_view>

#include "fanout/encode/chunk.h"

namespace rpcbench {

// Events times streams. Once all streams are closed, and at any moment with what is still pending:
// offered = delivered + coalesced + dropped + evicted (+ pending).
struct Ledger {
  std::uint64_t offered = 0;    // were to be sent to a stream
  std::uint64_t delivered = 0;  // wholly handed to the kernel
  std::uint64_t coalesced = 0;  // replaced by a newer one before they were sent
  std::uint64_t dropped = 0;    // thrown away because a queue was full
  std::uint64_t evicted = 0;    // still pending when their stream was closed, whoever closed it

  bool Balances(std::uint64_t pending) const {
    return offered == delivered + coalesced + dropped + evicted + pending;
  }
};

// One a stream, owned by it; one thread. What feeds it (a topic, a cohort) outlives it. The stream
// pulls: it takes the next chunk only once the kernel took all of the one before, so that what a
// slow reader has not been sent can still be replaced. The destructor leaves whatever it belongs
// to and counts what is pending as evicted.
class Source {
 public:
  virtual ~Source() = default;

  // What to send next, or null if there is nothing now. Until Sent or destruction its events are
  // pending.
  virtual ChunkRef Next() = 0;

  // The chunk of the last Next is wholly handed to the kernel.
  virtual void Sent() = 0;

  // What to send to a stream that was silent for long: not an event, unseen by other streams.
  // Only between a Sent and a Next.
  virtual ChunkRef Heartbeat() = 0;

  // Why the stream is to be closed now ("slow", "rotated", "drained"), or empty: it goes on.
  virtual std::string_view closing() const = 0;
};

}  // namespace rpcbench
