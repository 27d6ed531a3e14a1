// Which calls are in flight, and on which connection.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "echo/client.h"

namespace rpcbench {

// For adapters whose library does not keep this itself. One for all connections of a `connect`,
// indexed by slot; each slot is used by one connection at a time, and each connection by one thread
// at a time.
class CallTable final {
 public:
  explicit CallTable(std::uint32_t call_limit) : entries_(call_limit) {}

  // The call starts on this connection.
  void Add(CallId id, const void* connection) {
    Entry& entry = entries_[SlotOf(id)];
    entry.id.store(id, std::memory_order_relaxed);
    entry.connection.store(connection, std::memory_order_release);
  }

  // The call's reply is there. False if no such call is in flight on this connection: the peer made
  // the id up or sent it twice.
  bool Remove(CallId id, const void* connection) {
    if (SlotOf(id) >= entries_.size()) return false;
    Entry& entry = entries_[SlotOf(id)];
    if (entry.connection.load(std::memory_order_acquire) != connection) return false;
    if (entry.id.load(std::memory_order_relaxed) != id) return false;
    entry.connection.store(nullptr, std::memory_order_relaxed);
    return true;
  }

  // Removes every call of this connection and calls settle(id) for each. O(call_limit): for a
  // close.
  template <class Settle>
  void RemoveAll(const void* connection, Settle&& settle) {
    for (Entry& entry : entries_) {
      if (entry.connection.load(std::memory_order_acquire) != connection) continue;
      const CallId id = entry.id.load(std::memory_order_relaxed);
      entry.connection.store(nullptr, std::memory_order_relaxed);
      settle(id);
    }
  }

 private:
  struct Entry {
    std::atomic<CallId> id{0};
    std::atomic<const void*> connection{nullptr};
  };
  std::vector<Entry> entries_;
};

}  // namespace rpcbench
