// What was committed and not shown yet: from the writer's thread to the tick loop's.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "fanout/board/command.h"

namespace rpcbench {

// Any thread. Nothing uncommitted passes through, so that nothing uncommitted is ever shown.
class Committed final {
 public:
  void Add(std::span<const Command> commands) {
    const std::lock_guard lock(mutex_);
    commands_.insert(commands_.end(), commands.begin(), commands.end());
  }

  // All since the last Take, in the order of their commits, in place of what `taken` held. The two
  // vectors trade places, so that neither side allocates once both have grown.
  void Take(std::vector<Command>& taken) {
    taken.clear();
    const std::lock_guard lock(mutex_);
    taken.swap(commands_);
  }

 private:
  std::mutex mutex_;
  std::vector<Command> commands_;
};

}  // namespace rpcbench
