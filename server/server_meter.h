// Takes a server's counters between a mark and a report, in the process that the server runs in.
#pragma once

#include <chrono>
#include <memory>

#include "echo/framework.h"
#include "server/report.h"

namespace rpcbench {

// One thread at a time.
class ServerMeter final {
 public:
  // Starts the server. `shares_process`: with the client, so that CPU and memory cannot be told
  // apart. Throws Error.
  ServerMeter(const Framework& framework, const ServerOptions& options, bool shares_process);
  ~ServerMeter();

  Address address() const;
  void Mark(Count count);
  ServerReport Report();
  void Stop();

 private:
  const bool shares_process_;
  HoldMeter hold_meter_;
  std::unique_ptr<EchoServer> server_;
  std::chrono::steady_clock::time_point marked_at_;
  ProcessUsage marked_;
  bool counting_ = false;
};

}  // namespace rpcbench
