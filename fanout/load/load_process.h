// sse_load as a child: what board and push drive their streams with.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "fanout/load/protocol.h"

namespace rpcbench {

class Child;

// How long something took with all streams.
struct StreamLoadTime {
  std::size_t streams = 0;
  std::chrono::duration<double> time{0};
};

// Every member waits for sse_load's answer and throws Error that says what it answered instead.
// Destruction closes all streams and reaps the process.
class LoadProcess final {
 public:
  // Starts it and returns at once. `program` empty: sse_load beside this program's own file.
  explicit LoadProcess(const StreamLoadOptions& options, const std::filesystem::path& program = {});
  ~LoadProcess();
  LoadProcess(const LoadProcess&) = delete;
  LoadProcess& operator=(const LoadProcess&) = delete;

  // Once, before all else: until all streams are open.
  StreamLoadTime AwaitOpen();
  void Mark();
  StreamLoadReport Report();
  // Until all streams have had the event with this id or a newer one.
  StreamLoadTime Settle(const std::string& id);
  // Closes all streams from this side at once, and until all are open again.
  StreamLoadTime Cut();
  // After the server cut all of them since the mark.
  StreamLoadTime AwaitReconnect();

 private:
  StreamLoadTime AskTime(const std::string& command, const char* count, const char* ms);
  std::string Ask(const std::string& command);
  std::string Answer(const std::string& to);

  const std::chrono::nanoseconds patience_;
  std::unique_ptr<Child> child_;
};

}  // namespace rpcbench
