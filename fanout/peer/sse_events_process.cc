// sse_events as a child.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "fanout/peer/push_server.h"
#include "measure/resources.h"
#include "process/child.h"

namespace rpcbench {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);

std::string ProgramOf(const PushServerOptions& options) {
  if (!options.sse_events.empty()) return options.sse_events.string();
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sse_events").string();
}

std::vector<std::string> ArgumentsOf(const PushServerOptions& options) {
  if (options.cpus.empty()) return {};
  return {"--cpus", ToString(options.cpus)};
}

class SseEvents final : public PushServer {
 public:
  explicit SseEvents(const PushServerOptions& options)
      : child_(ProgramOf(options), ArgumentsOf(options)) {
    const std::string line = child_.ReadLine(kPatience);
    const auto hello = nlohmann::json::parse(line, nullptr, false);
    if (hello.is_discarded() || !hello.contains("port") || !hello.contains("cpus")) {
      throw Error("sse_events begins with " + line);
    }
    address_ = {hello["host"].get<std::string>(), hello["port"].get<std::uint16_t>()};
    const auto cpus = hello["cpus"].get<std::vector<int>>();
    if (!options.cpus.empty() && cpus != options.cpus) {
      throw Error(fmt::format("sse_events runs on processors {}, not on {}", ToString(cpus),
                              ToString(options.cpus)));
    }
  }

  Address address() const override { return address_; }
  std::string events_path() const override { return "/events"; }
  std::string publish_path() const override { return "/pub"; }

  ProcessUse Use() override {
    child_.CheckAlive();
    return UseOf(child_.pid());
  }

 private:
  Child child_;
  Address address_;
};

}  // namespace

std::unique_ptr<PushServer> StartSseEvents(const PushServerOptions& options) {
  return std::make_unique<SseEvents>(options);
}

}  // namespace rpcbench
