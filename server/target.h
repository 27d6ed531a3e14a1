// The server that a row drives, wherever it runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "echo/framework.h"
#include "server/server_meter.h"

namespace rpcbench {

// Throws Error from every member when the server died, froze or answered nonsense.
class Target {
 public:
  virtual ~Target() = default;

  virtual Address address() const = 0;
  virtual void Mark(Count count) = 0;
  // Nothing where the server cannot be asked (it runs on another machine).
  virtual std::optional<ServerReport> Report() = 0;
  // Throws Error with how it ended if the server is no longer there.
  virtual void CheckAlive() = 0;
};

struct TargetOptions {
  ServerOptions server;
  std::vector<int> cpus;                // of the server process; empty: no pinning
  std::filesystem::path server_binary;  // empty: echo_server beside this program
  std::chrono::nanoseconds patience = std::chrono::seconds(10);  // for each answer
};

// Starts `echo_server` in a process of its own. It ends with the Target; it is killed if it does
// not end by itself.
std::unique_ptr<Target> StartProcess(const Framework& framework, const TargetOptions& options);

// Starts the server in this process.
std::unique_ptr<Target> StartInProcess(const Framework& framework, const TargetOptions& options);

// A server that runs already, on this or another machine.
std::unique_ptr<Target> AttachTo(const Address& address);

// "HOST:PORT". Throws Error.
Address ParseAddress(const std::string& text);

}  // namespace rpcbench
