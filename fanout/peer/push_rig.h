// A push server, its streams and its publisher, and what one window of them cost.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fanout/load/load_process.h"
#include "fanout/peer/publisher.h"
#include "fanout/peer/push_options.h"
#include "fanout/peer/push_server.h"

namespace rpcbench {

struct PushWindow {
  StreamLoadReport load;            // of the window
  ProcessUse server;                // of the window; rss_kb at its end
  std::int64_t server_idle_kb = 0;  // resident before the first stream
  std::chrono::duration<double> length{0};
  std::uint64_t published = 0;
  std::uint64_t published_late = 0;
  // After the window the publisher stops and every stream is given time to have the last event.
  std::size_t without_last = 0;                                      // streams that never had it
  std::uint64_t gaps = 0, disorder = 0, mismatches = 0, closed = 0;  // up to then
};

class PushRig final {
 public:
  // Starts the server and opens all streams. Throws Error.
  explicit PushRig(const PushOptions& options);
  ~PushRig();

  // Publishes, warms up, measures. Throws Error if a process died or Ctrl-C was pressed.
  PushWindow Measure(std::chrono::nanoseconds window);

 private:
  void AwaitLast(const std::string& data, PushWindow& window);

  const PushOptions options_;
  std::unique_ptr<PushServer> server_;
  std::int64_t idle_kb_ = 0;
  std::unique_ptr<LoadProcess> load_;
  std::uint64_t next_ = 1;  // event number
};

// What is wrong with a window: an event that a stream did not get, or twice, or late beyond use.
std::vector<std::string> Violations(const PushWindow& window, const PushOptions& options);

}  // namespace rpcbench
