// The page's panel: what the server did in the last second and the last minute, as JSON that every
// stream is sent. Nothing in it is about one client.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "fanout/encode/topic.h"
#include "fanout/sse/server.h"

namespace rpcbench {

struct CodecCounts {
  std::size_t identity = 0;
  std::size_t zstd = 0;
  std::size_t brotli = 0;

  std::size_t& Of(Codec codec);
};

// What has happened since the program started.
struct PanelTotals {
  TopicCounts topic;
  SseServerCounts server;
  CodecCounts streams;               // that there are now
  std::uint64_t ticks = 0;           // that had something to send
  std::uint64_t commands = 0;        // committed
  std::uint64_t failed = 0;          // not committed
  std::chrono::microseconds cpu{0};  // user and system, all threads
};

// One thread.
class Panel final {
 public:
  using Clock = std::chrono::steady_clock;

  // The figures of the time since the last sample, or since `start`. Once a second: the history
  // has a value for each call.
  void Sample(Clock::time_point now, const PanelTotals& totals);

  // One line. The keys are those of the page's data-figure attributes, and "history" with at most
  // 61 values each, the newest last; null where no frame was sent.
  const std::string& json() const { return json_; }

 private:
  void Remember(std::optional<double> ticks, std::optional<double> bytes);

  Clock::time_point sampled_at_ = Clock::now();
  PanelTotals last_;
  std::deque<std::optional<double>> ticks_;
  std::deque<std::optional<double>> bytes_;
  std::string json_ = "{}";
};

}  // namespace rpcbench
