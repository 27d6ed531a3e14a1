// The server side of the contract.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "echo/client.h"

namespace rpcbench {

// What holds a request back: echo/delay_line, the same for all, or the framework's own timer.
enum class DelaySource { kLine, kNative };

struct ServerOptions {
  Address listen;  // port 0: any free one
  int threads =
      1;  // event loops; adapters whose library decides for itself say so in Framework::settings
  int connections =
      16;  // how many to expect; a server with a worker a blocked call makes this many
  std::chrono::nanoseconds delay = std::chrono::milliseconds(30);
  // If set, a record whose flag is true is held this long instead (head-of-line rows).
  std::optional<std::chrono::nanoseconds> slow_delay;
  DelaySource delay_source = DelaySource::kLine;

  // How long the server holds a request whose record has this flag.
  std::chrono::nanoseconds DelayFor(bool flag) const {
    return flag && slow_delay ? *slow_delay : delay;
  }
};

// Listening when its factory returns. The factory throws Error where it cannot listen.
class EchoServer {
 public:
  virtual ~EchoServer() = default;

  // The real address, with the port that was chosen.
  virtual Address address() const = 0;

  // Stops at once: connections close, held requests are dropped. May be repeated. After it no
  // handler runs and the port is free. The destructor does the same.
  virtual void Stop() = 0;
};

}  // namespace rpcbench
