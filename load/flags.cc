#include "load/flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <regex>

#include "echo/error.h"
#include "measure/resources.h"
#include "process/duration_flag.h"

namespace rpcbench {
namespace {

constexpr int kMostConnections = 10'000;

void DeclareWhere(CLI::App& app, LoadFlags& flags) {
  app.add_option("--server-threads", flags.server_threads, "Event loops of the server")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--client-threads", flags.client_threads, "Event loops of the client")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_flag(
      "--in-process", flags.in_process,
      "Both sides in one process, as some suites do; CPU and memory cannot be told apart then");
  app.add_option(
      "--target", flags.target,
      "HOST:PORT of an echo_server that runs already; its CPU and held times are unknown then");
  app.add_option("--client-cpus", flags.client_cpus,
                 "Processors of this process, such as 0,2-3; default: the lower half");
  app.add_option("--server-cpus", flags.server_cpus,
                 "Processors of the server process; default: the upper half");
  app.add_flag("--no-pinning", flags.no_pinning, "Leave both processes to the scheduler");
}

}  // namespace

void Declare(CLI::App& app, LoadFlags& flags) {
  app.add_option("--frameworks", flags.frameworks,
                 "Regular expression that finds the frameworks to run")
      ->capture_default_str();
  app.add_flag("--list", flags.list,
               "Print the frameworks of this build, with version and settings, and stop");
  app.add_option("--delay", flags.delay, "How long the server holds each request: 30ms, 500us, 0")
      ->capture_default_str();
  app.add_option(
         "--delay-source", flags.delay_source,
         "line: the suite's queue and one timer a loop; native: the framework's own timer a call")
      ->check(CLI::IsMember({"line", "native"}))
      ->capture_default_str();
  app.add_option("--timeout", flags.timeout, "How long a reply may take before its row fails")
      ->capture_default_str();
  app.add_option("--seed", flags.seed, "Of the data set")->capture_default_str();
  DeclareWhere(app, flags);
}

void DeclareClients(CLI::App& app, LoadFlags& flags) {
  app.add_option("--clients", flags.clients, "Numbers of connections, one row each")
      ->delimiter(',')
      ->check(CLI::Range(1, kMostConnections))
      ->capture_default_str();
}

LoadOptions Check(const LoadFlags& flags) {
  LoadOptions options;
  options.target.server.delay = ParseDuration(flags.delay);
  options.target.server.threads = flags.server_threads;
  options.target.server.delay_source =
      flags.delay_source == "native" ? DelaySource::kNative : DelaySource::kLine;
  options.timeout = ParseDuration(flags.timeout);
  if (options.timeout.count() == 0) throw Error("--timeout 0: give more than nothing, such as 60s");
  options.clients = flags.clients;
  options.client_threads = flags.client_threads;
  options.seed = flags.seed;
  options.in_process = flags.in_process;
  if (!flags.target.empty()) {
    if (flags.in_process) throw Error("--target and --in-process exclude each other");
    options.attach = ParseAddress(flags.target);
  }
  const bool own_server = !flags.in_process && !options.attach;
  if (!flags.server_cpus.empty() && !own_server) {
    throw Error(
        "--server-cpus pins a server process of this program's own: not with --target or "
        "--in-process");
  }
  const CpuSplit split = flags.no_pinning || !own_server ? CpuSplit{} : SplitAllowedCpus();
  options.client_cpus = flags.client_cpus.empty() ? split.client : ParseCpus(flags.client_cpus);
  options.target.cpus = flags.server_cpus.empty() ? split.server : ParseCpus(flags.server_cpus);
  return options;
}

std::string WhyNot(const Framework& framework, const LoadOptions& options) {
  const bool native = options.target.server.delay_source == DelaySource::kNative;
  return native && !framework.traits.native_timer ? "has no timer of its own" : "";
}

std::string NameSuffix(const LoadOptions& options) {
  return options.target.server.delay_source == DelaySource::kNative ? "/delay_source:native" : "";
}

std::vector<Framework> Matching(const std::vector<Framework>& all, const std::string& expression) {
  std::vector<Framework> matching;
  std::string names;
  try {
    const std::regex pattern(expression);
    for (const Framework& framework : all) {
      names += (names.empty() ? "" : ", ") + framework.name;
      if (std::regex_search(framework.name, pattern)) matching.push_back(framework);
    }
  } catch (const std::regex_error&) {
    throw Error("--frameworks \"" + expression + "\" is not a regular expression");
  }
  if (matching.empty()) {
    throw Error("--frameworks \"" + expression + "\" finds none of: " + names);
  }
  return matching;
}

}  // namespace rpcbench
