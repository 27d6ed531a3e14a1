#include "measure/resources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "echo/error.h"

namespace rpcbench {
namespace {

std::chrono::microseconds Micros(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

int ParseCpu(const std::string& whole, const std::string& text) {
  int cpu = -1;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size() || cpu < 0 ||
      cpu >= CPU_SETSIZE) {
    throw Error("processors \"" + whole + "\": give numbers and ranges such as 0,2-3");
  }
  return cpu;
}

}  // namespace

ProcessUsage UsageNow() {
  ProcessUsage usage;
  rusage self{};
  getrusage(RUSAGE_SELF, &self);
  usage.user = Micros(self.ru_utime);
  usage.system = Micros(self.ru_stime);
  usage.voluntary_switches = self.ru_nvcsw;
  usage.involuntary_switches = self.ru_nivcsw;
  std::ifstream status("/proc/self/status");
  std::string key;
  std::string line;
  while (status >> key && std::getline(status, line)) {
    std::istringstream value(line);
    if (key == "VmRSS:")
      value >> usage.rss_kb;
    else if (key == "VmHWM:")
      value >> usage.peak_rss_kb;
    else if (key == "Threads:")
      value >> usage.threads;
  }
  return usage;
}

MachineUsage MachineUsageNow() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  std::int64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0,
               stolen = 0;
  stat >> cpu >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> stolen;
  const std::int64_t us_a_tick = 1'000'000 / sysconf(_SC_CLK_TCK);
  return {std::chrono::microseconds((user + nice + system + irq + softirq) * us_a_tick),
          std::chrono::microseconds(stolen * us_a_tick)};
}

std::vector<int> AllowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

void PinTo(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    throw Error("cannot pin to processors " + ToString(cpus) + ": " + std::strerror(errno));
  }
  if (AllowedCpus() != cpus) {
    throw Error("pinned to processors " + ToString(cpus) + ", but runs on " +
                ToString(AllowedCpus()));
  }
}

std::vector<int> ParseCpus(const std::string& text) {
  std::vector<int> cpus;
  std::istringstream parts(text);
  std::string part;
  while (std::getline(parts, part, ',')) {
    const std::size_t dash = part.find('-');
    const int first = ParseCpu(text, part.substr(0, dash));
    const int last = dash == std::string::npos ? first : ParseCpu(text, part.substr(dash + 1));
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  if (cpus.empty()) ParseCpu(text, "");
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string ToString(const std::vector<int>& cpus) {
  return fmt::format("{}", fmt::join(cpus, ","));
}

std::vector<std::vector<int>> CoresOf(const std::vector<int>& cpus) {
  std::map<std::string, std::vector<int>> by_siblings;
  std::vector<std::vector<int>> cores;
  for (const int cpu : cpus) {
    std::ifstream in(
        fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string siblings;
    if (!(in >> siblings)) siblings = fmt::format("cpu{}", cpu);
    by_siblings[siblings].push_back(cpu);
  }
  for (const auto& [siblings, core] : by_siblings) cores.push_back(core);
  std::sort(cores.begin(), cores.end());
  return cores;
}

CpuSplit SplitCpus(const std::vector<std::vector<int>>& cores) {
  CpuSplit split;
  if (cores.size() < 2) return split;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    auto& side = i < cores.size() / 2 ? split.client : split.server;
    side.insert(side.end(), cores[i].begin(), cores[i].end());
  }
  std::sort(split.client.begin(), split.client.end());
  std::sort(split.server.begin(), split.server.end());
  return split;
}

CpuSplit SplitAllowedCpus() {
  return SplitCpus(CoresOf(AllowedCpus()));
}

std::int64_t RaiseDescriptorLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::int64_t>(limit.rlim_cur);
}

}  // namespace rpcbench
