// The flags that qps, fixed and hol share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "echo/framework.h"
#include "server/target.h"

namespace CLI {
class App;
}

namespace rpcbench {

struct LoadFlags {
  std::string frameworks = ".*";
  std::vector<int> clients = {1, 2, 4, 8, 16};
  std::string delay = "30ms";
  std::string delay_source = "line";
  std::string timeout = "60s";
  std::string target;
  std::string client_cpus;
  std::string server_cpus;
  int server_threads = 1;
  int client_threads = 1;
  std::uint64_t seed = 1;
  bool in_process = false;
  bool no_pinning = false;
  bool list = false;
};

void Declare(CLI::App& app, LoadFlags& flags);
// --clients, for programs whose rows differ in it.
void DeclareClients(CLI::App& app, LoadFlags& flags);

// The flags, checked and in the suite's own types.
struct LoadOptions {
  TargetOptions
      target;  // server options and processors; connections and slow delay are a row's own
  std::optional<Address> attach;  // --target
  std::vector<int> client_cpus;   // empty: no pinning
  std::vector<int> clients;
  int client_threads = 1;
  std::uint64_t seed = 1;
  bool in_process = false;
  std::chrono::nanoseconds timeout{0};
  // How long a window is; --benchmark_min_time, so that one window is enough for Google Benchmark.
  std::chrono::nanoseconds window = std::chrono::milliseconds(500);
};

// Throws Error that says what is allowed.
LoadOptions Check(const LoadFlags& flags);

// Why this framework cannot be run with these options; empty if it can.
std::string WhyNot(const Framework& framework, const LoadOptions& options);

// What a row's name ends with under these options: "/delay_source:native", or nothing.
std::string NameSuffix(const LoadOptions& options);

// The frameworks whose name the expression finds. Throws Error if it is none or finds none.
std::vector<Framework> Matching(const std::vector<Framework>& all, const std::string& expression);

}  // namespace rpcbench
