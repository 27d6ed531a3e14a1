// A command to the board, and how it ends.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rpcbench {

// Adds 1 to a card.
struct Command {
  int card = 0;
};

enum class StatusCode : std::uint8_t {
  kOk,           // committed: it is in the database, and the next tick shows it
  kUnknownCard,  // there is no such card
  kQueueFull,    // more is waiting than the writer may hold: try again later
  kStopped,      // the writer has been stopped
  kDiskFull,     // these and the rest: not applied, and the database is as it was before
  kLocked,       // another connection kept the write lock for longer than the busy timeout
  kReadOnly,
  kInputOutput,
  kCorrupt,
  kFailed,
};

const char* ToString(StatusCode code);

struct Status {
  StatusCode code = StatusCode::kOk;
  std::string message;  // what was tried, and what the database said; empty if ok

  bool ok() const { return code == StatusCode::kOk; }
};

// Comes exactly once a command. Must not block and must not throw.
using Settle = std::function<void(const Status&)>;

}  // namespace rpcbench
