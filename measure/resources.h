// What a process has used so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace rpcbench {

// All threads of this process since it started (getrusage and /proc/self/status).
struct ProcessUsage {
  std::chrono::microseconds user{0};
  std::chrono::microseconds system{0};
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::int64_t rss_kb = 0;
  std::int64_t peak_rss_kb = 0;
  int threads = 0;
};

ProcessUsage UsageNow();

// What the whole machine has done since it started, over all processors (/proc/stat).
struct MachineUsage {
  std::chrono::microseconds busy{
      0};  // user, system and interrupts; without waiting and without steal
  std::chrono::microseconds stolen{0};  // by the host, for other guests
};

MachineUsage MachineUsageNow();

// The processors that this process may run on, read back from the kernel.
std::vector<int> AllowedCpus();

// Pins every thread of this process that starts from now on, and this one; no processors: pins
// nothing. Throws Error that names the processors.
void PinTo(const std::vector<int>& cpus);

// "0,2-3" as a list. Throws Error.
std::vector<int> ParseCpus(const std::string& text);
std::string ToString(const std::vector<int>& cpus);

// These processors by core: hardware threads of one core together, as the kernel says.
std::vector<std::vector<int>> CoresOf(const std::vector<int>& cpus);

// How client and server share this machine: each gets cores of its own where there are two or more
// (the client the lower half); both are empty, which means no pinning, on a single core.
struct CpuSplit {
  std::vector<int> client;
  std::vector<int> server;
};
CpuSplit SplitCpus(const std::vector<std::vector<int>>& cores);
CpuSplit SplitAllowedCpus();  // of the processors that this process may run on

// Lifts the soft limit of open descriptors to the hard one and returns it.
std::int64_t RaiseDescriptorLimit();

}  // namespace rpcbench
