// echo_server: one framework's server as a process. control.h has the exchange on standard input
// and output.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "frameworks/all.h"
#include "measure/resources.h"
#include "process/duration_flag.h"
#include "process/program.h"
#include "server/control.h"
#include "server/target.h"

namespace rpcbench {
namespace {

struct Flags {
  std::string framework;
  std::string listen = "127.0.0.1:0";
  std::string delay = "30ms";
  std::string slow_delay;
  std::string delay_source = "line";
  std::string cpus;
  int threads = 1;
  int connections = 16;
  bool list = false;
};

void Declare(CLI::App& app, Flags& flags) {
  app.add_option("--framework", flags.framework, "Which one; --list names them");
  app.add_flag("--list", flags.list,
               "Print the frameworks of this build, with version and settings, and stop");
  app.add_option("--listen", flags.listen,
                 "HOST:PORT; nothing listens beyond loopback unless asked")
      ->capture_default_str();
  app.add_option("--delay", flags.delay, "How long each request is held")->capture_default_str();
  app.add_option("--slow-delay", flags.slow_delay,
                 "How long a request whose flag is set is held; default: --delay");
  app.add_option("--delay-source", flags.delay_source,
                 "line: the suite's; native: the framework's own timer")
      ->check(CLI::IsMember({"line", "native"}))
      ->capture_default_str();
  app.add_option("--server-threads", flags.threads, "Event loops")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--connections", flags.connections,
                 "How many to expect; a framework whose handlers block has as many workers")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--cpus", flags.cpus, "Processors to run on, such as 0,2-3; default: all");
}

ServerOptions Options(const Flags& flags) {
  ServerOptions options;
  options.listen = ParseAddress(flags.listen);
  options.threads = flags.threads;
  options.connections = flags.connections;
  options.delay = ParseDuration(flags.delay);
  if (!flags.slow_delay.empty()) options.slow_delay = ParseDuration(flags.slow_delay);
  if (flags.delay_source == "native") options.delay_source = DelaySource::kNative;
  return options;
}

// What the flags ask for.
struct Plan {
  Framework framework;
  ServerOptions options;
  std::vector<int> cpus;
};

// Throws Error if the flags ask for nonsense.
Plan MakePlan(const Flags& flags) {
  if (flags.framework.empty()) throw Error("give --framework NAME; --list names them");
  Plan plan{FindFramework(AllFrameworks(), flags.framework), Options(flags), {}};
  if (plan.options.delay_source == DelaySource::kNative && !plan.framework.traits.native_timer) {
    throw Error(flags.framework + " has no timer of its own: --delay-source native does not apply");
  }
  if (!flags.cpus.empty()) plan.cpus = ParseCpus(flags.cpus);
  return plan;
}

void Serve(const Plan& plan) {
  PinTo(plan.cpus);
  RaiseDescriptorLimit();
  ServerMeter server(plan.framework, plan.options, false);
  const Hello hello{plan.framework.name, server.address(), static_cast<int>(getpid()),
                    AllowedCpus()};
  std::cout << HelloLine(hello) << std::endl;
  ServeControl(server, std::cin, std::cout);
  server.Stop();
}

int Main(int argc, char** argv) {
  Flags flags;
  Plan plan;
  CLI::App app(
      "Serves one framework's echo until standard input ends. Made to be started by qps, fixed and "
      "hol.");
  Declare(app, flags);
  const auto read = [&] {
    app.parse(argc, argv);
    if (flags.list)
      PrintFrameworks();
    else
      plan = MakePlan(flags);
    return !flags.list;
  };
  const auto run = [&] {
    Serve(plan);
    return 0;
  };
  return RunProgram(app, {"echo_server", read, run});
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
