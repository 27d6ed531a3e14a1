#include <fmt/format.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "process/child.h"
#include "server/control.h"
#include "server/target.h"

namespace rpcbench {
namespace {

std::string Milliseconds(std::chrono::nanoseconds time) {
  return fmt::format("{}ms", std::chrono::duration<double, std::milli>(time).count());
}

std::vector<std::string> Arguments(const Framework& framework, const TargetOptions& options) {
  const ServerOptions& server = options.server;
  std::vector<std::string> arguments = {
      "--framework",      framework.name,
      "--listen",         ToString(server.listen),
      "--server-threads", std::to_string(server.threads),
      "--connections",    std::to_string(server.connections),
      "--delay",          Milliseconds(server.delay),
      "--delay-source",   server.delay_source == DelaySource::kNative ? "native" : "line"};
  if (server.slow_delay) {
    arguments.insert(arguments.end(), {"--slow-delay", Milliseconds(*server.slow_delay)});
  }
  if (!options.cpus.empty()) arguments.insert(arguments.end(), {"--cpus", ToString(options.cpus)});
  return arguments;
}

std::filesystem::path BinaryBesideThis() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "echo_server";
}

class ProcessTarget final : public Target {
 public:
  ProcessTarget(const Framework& framework, const TargetOptions& options)
      : patience_(options.patience),
        child_(options.server_binary.empty() ? BinaryBesideThis() : options.server_binary,
               Arguments(framework, options)),
        hello_(ParseHello(child_.ReadLine(patience_))) {
    if (!options.cpus.empty() && hello_.cpus != options.cpus) {
      throw Error(fmt::format("{}: the server runs on processors {}, not on {}", framework.name,
                              ToString(hello_.cpus), ToString(options.cpus)));
    }
  }

  Address address() const override { return hello_.address; }

  void Mark(Count count) override {
    Ask(count == Count::kAllocations ? "mark allocations" : "mark");
  }

  std::optional<ServerReport> Report() override {
    const nlohmann::json answer = Ask("report");
    try {
      return ServerReportFrom(answer);
    } catch (const nlohmann::json::exception& error) {
      throw Error("the server's report lacks something: " + answer.dump() + " (" + error.what() +
                  ")");
    }
  }

  void CheckAlive() override { child_.CheckAlive(); }

 private:
  nlohmann::json Ask(const std::string& command) {
    child_.WriteLine(command);
    const std::string line = child_.ReadLine(patience_);
    const auto answer = nlohmann::json::parse(line, nullptr, false);
    if (answer.is_discarded() || answer.contains("error")) {
      throw Error("the server answers \"" + command + "\" with " + line);
    }
    return answer;
  }

  const std::chrono::nanoseconds patience_;
  Child child_;
  const Hello hello_;
};

}  // namespace

std::unique_ptr<Target> StartProcess(const Framework& framework, const TargetOptions& options) {
  return std::make_unique<ProcessTarget>(framework, options);
}

}  // namespace rpcbench
