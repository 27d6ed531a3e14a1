#include "fanout/peer/process_use.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "echo/error.h"

namespace rpcbench {
namespace {

// The fields of /proc/<pid>/stat behind the name, which may hold anything, so behind its last ")".
struct Stat {
  pid_t parent = 0;
  std::int64_t user_ticks = 0;
  std::int64_t system_ticks = 0;
  std::int64_t rss_pages = 0;
};

bool ReadStat(pid_t pid, Stat& stat) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(in, line)) return false;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  fields >> skipped >> stat.parent;
  for (int field = 5; field <= 13; ++field) fields >> skipped;  // numbered as in proc(5)
  fields >> stat.user_ticks >> stat.system_ticks;
  for (int field = 16; field <= 23; ++field) fields >> skipped;
  fields >> stat.rss_pages;
  return !fields.fail();
}

}  // namespace

ProcessUse& ProcessUse::operator+=(const ProcessUse& other) {
  user += other.user;
  system += other.system;
  rss_kb += other.rss_kb;
  return *this;
}

// The sum is from the process' clock, which has nanoseconds where the ticks have 10 ms; these only
// say how it is shared out.
ProcessUse UseOf(pid_t pid) {
  Stat stat;
  clockid_t clock{};
  timespec used{};
  if (!ReadStat(pid, stat) || clock_getcpuclockid(pid, &clock) != 0 ||
      clock_gettime(clock, &used) != 0) {
    throw Error("there is no process " + std::to_string(pid));
  }
  const std::chrono::nanoseconds sum =
      std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  const auto ticks = static_cast<double>(stat.user_ticks + stat.system_ticks);
  const double share = ticks > 0 ? static_cast<double>(stat.system_ticks) / ticks : 0;
  const std::chrono::nanoseconds system(
      static_cast<std::int64_t>(static_cast<double>(sum.count()) * share));
  return {sum - system, system, stat.rss_pages * (sysconf(_SC_PAGESIZE) / 1024)};
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto result = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (result.ec != std::errc{} || result.ptr != name.data() + name.size()) continue;
    Stat stat;
    if (ReadStat(pid, stat) && stat.parent == parent) children.push_back(pid);
  }
  std::sort(children.begin(), children.end());
  return children;
}

std::vector<int> CpusOf(pid_t pid) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(pid, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace rpcbench
