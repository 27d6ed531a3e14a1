// Calls made by other threads, on their way to the loop that owns the connection.
#pragma once

#include <mutex>
#include <vector>

#include "echo/client.h"

namespace rpcbench {

// For adapters whose connection belongs to one event loop: a call from another thread is pushed
// here and the loop is woken once for all that wait.
class CallInbox final {
 public:
  struct Entry {
    CallId id;
    const Record* record;
  };

  // Any thread. True if the inbox was empty: the caller then wakes the loop, which calls Take.
  bool Push(CallId id, const Record& record) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({id, &record});
    return entries_.size() == 1;
  }

  // The loop's thread. Replaces `entries` by all that wait; its capacity is reused.
  void Take(std::vector<Entry>& entries) {
    entries.clear();
    const std::lock_guard lock(mutex_);
    entries.swap(entries_);
  }

 private:
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace rpcbench
