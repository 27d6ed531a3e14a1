#include "measure/environment.h"

#include <fmt/chrono.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "measure/build_facts.h"
#include "measure/commit.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

// The value of the first "key<separator>value" line of a file, without quotes and blanks around it.
std::string ValueIn(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::size_t first = line.find_first_not_of(" \t\"", at + 1);
    const std::size_t last = line.find_last_not_of(" \t\"");
    return first == std::string::npos ? "" : line.substr(first, last - first + 1);
  }
  return "";
}

std::string FirstLine(const char* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::int64_t MemoryMb() {
  struct sysinfo info {};
  if (sysinfo(&info) != 0) return 0;
  return static_cast<std::int64_t>(info.totalram) * info.mem_unit / (1024 * 1024);
}

}  // namespace

nlohmann::json Environment() {
  utsname system{};
  uname(&system);
  const std::time_t now = std::time(nullptr);
  return {
      {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
      {"host", system.nodename},
      {"kernel", fmt::format("{} {}", system.sysname, system.release)},
      {"os", ValueIn("/etc/os-release", "PRETTY_NAME", '=')},
      {"compiler", kCompiler},
      {"flags", kFlags},
      {"build", kBuildType},
      {"commit", kCommit},
      {"allocator", "glibc"},
      {"descriptors", RaiseDescriptorLimit()},
      {"congestion_control", FirstLine("/proc/sys/net/ipv4/tcp_congestion_control")},
      {"clocksource",
       FirstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")},
      {"machine",
       {{"cpu", ValueIn("/proc/cpuinfo", "model name", ':')},
        {"cores", AllowedCpus().size()},
        {"memory_mb", MemoryMb()}}},
  };
}

}  // namespace rpcbench
