// The one thread that writes: takes what is queued into one transaction after the other.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "fanout/board/command.h"
#include "fanout/board/committed.h"

namespace rpcbench {

struct WriterOptions {
  int cards = 200;
  std::size_t queue_limit = 4096;  // commands that wait; past it they are refused
  std::size_t batch = 256;         // most commands in a transaction
};

struct WriterCounts {
  std::uint64_t committed = 0;  // commands
  std::uint64_t failed = 0;     // commands that were settled with anything but ok
  std::uint64_t transactions = 0;
  std::uint64_t failed_transactions = 0;
  std::chrono::nanoseconds commit_cpu{0};  // the writer's thread inside transactions
};

class Writer final {
 public:
  // All of them in one transaction, or none: Store::Apply. The writer's thread calls it.
  using Apply = std::function<Status(std::span<const Command>)>;

  // `committed` outlives the writer, and so does all that `apply` refers to.
  Writer(Apply apply, Committed& committed, const WriterOptions& options);
  ~Writer();  // stops

  // Any thread. `settle` comes exactly once: after the commit on the writer's thread, when the
  // command is on its way to the next tick; or at once on this thread, if it is refused.
  void Submit(const Command& command, Settle settle);

  // Commits what is queued and ends the thread; from now on every command is refused. May be
  // repeated. Not from `settle`.
  void Stop();

  WriterCounts counts() const;  // any thread

 private:
  struct Waiting {
    Command command;
    Settle settle;
  };

  void Run();
  // Waits for commands; false once stopped and all are taken.
  bool TakeBatch(std::vector<Waiting>& batch);
  void Commit(const std::vector<Waiting>& batch);
  Status Refusal(const Command& command) const;  // ok: it is taken

  const Apply apply_;
  Committed& committed_;
  const WriterOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  WriterCounts counts_;
  bool stopping_ = false;
  std::vector<Command> commands_;  // of the batch; the writer's thread only
  std::thread thread_;             // last: it uses the rest
};

}  // namespace rpcbench
