#include "fanout/load/load_process.h"

#include <nlohmann/json.hpp>

#include "echo/error.h"
#include "process/child.h"

namespace rpcbench {
namespace {

// sse_load has the deadline; its parent waits a little longer, so that the error is sse_load's.
constexpr auto kLonger = std::chrono::seconds(10);

std::filesystem::path BesideThis() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sse_load";
}

}  // namespace

LoadProcess::LoadProcess(const StreamLoadOptions& options, const std::filesystem::path& program)
    : patience_(options.deadline + kLonger),
      child_(std::make_unique<Child>((program.empty() ? BesideThis() : program).string(),
                                     ArgumentsOf(options))) {}

LoadProcess::~LoadProcess() = default;

StreamLoadTime LoadProcess::AwaitOpen() {
  return AskTime("", "open", "connect_ms");
}

void LoadProcess::Mark() {
  Ask("mark");
}

StreamLoadReport LoadProcess::Report() {
  return ParseStreamLoadReport(Ask("report"));
}

StreamLoadTime LoadProcess::Settle(const std::string& id) {
  return AskTime("settle " + id, "settled", "ms");
}

StreamLoadTime LoadProcess::Cut() {
  return AskTime("cut", "back", "ms");
}

StreamLoadTime LoadProcess::AwaitReconnect() {
  return AskTime("await_reconnect", "back", "ms");
}

// An empty command asks nothing: sse_load's first line comes unasked.
StreamLoadTime LoadProcess::AskTime(const std::string& command, const char* count, const char* ms) {
  const std::string line = command.empty() ? Answer("its start") : Ask(command);
  try {
    const auto answer = nlohmann::json::parse(line);
    return {answer.at(count).get<std::size_t>(),
            std::chrono::duration<double, std::milli>(answer.at(ms).get<double>())};
  } catch (const nlohmann::json::exception& error) {
    throw Error("sse_load answers \"" + command + "\" with " + line + " (" + error.what() + ")");
  }
}

std::string LoadProcess::Ask(const std::string& command) {
  child_->WriteLine(command);
  return Answer("\"" + command + "\"");
}

std::string LoadProcess::Answer(const std::string& to) {
  std::string line = child_->ReadLine(patience_);
  const auto answer = nlohmann::json::parse(line, nullptr, false);
  if (answer.is_discarded() || !answer.is_object()) {
    throw Error("sse_load answers " + to + " with " + line);
  }
  if (answer.contains("error")) {
    throw Error("sse_load, " + to + ": " + answer["error"].get<std::string>());
  }
  return line;
}

}  // namespace rpcbench
