#include "fanout/peer/live_push.h"

#include <algorithm>

namespace rpcbench {
namespace {

Counters CountersOf(const PushWindow& window, const PushOptions& options) {
  const StreamLoadReport& load = window.load;
  const auto of = [](std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(1, whole));
  };
  const double seconds = window.length.count();
  const std::chrono::duration<double> server = window.server.user + window.server.system;
  const std::chrono::duration<double> client = load.user + load.system;
  const double events = static_cast<double>(std::max<std::uint64_t>(1, load.events));
  const auto streams = static_cast<double>(options.streams);
  return {{"server_us_event", server.count() * 1e6 / events},
          {"server_cores", server.count() / seconds},
          {"client_cores", client.count() / seconds},
          {"events_s", static_cast<double>(load.events) / seconds},
          {"delivered_share", of(load.events, load.events + load.gaps)},
          {"gaps", static_cast<double>(window.gaps)},
          {"late_events", static_cast<double>(load.late_events)},
          {"latency_p50_ms", load.latency_p50_ms},
          {"latency_p99_ms", load.latency_p99_ms},
          {"bytes_event", of(load.bytes, load.events)},
          {"rss_kb_stream",
           static_cast<double>(window.server.rss_kb - window.server_idle_kb) / streams},
          {"decoded_streams", static_cast<double>(load.decoded_streams)},
          {"published_s", static_cast<double>(window.published) / seconds},
          {"published_late", static_cast<double>(window.published_late)}};
}

}  // namespace

LivePush::LivePush(const PushOptions& options, std::chrono::nanoseconds window)
    : options_(options), window_(window), rig_(options) {}

RowResult LivePush::Run(std::int64_t iterations, Count) {
  const PushWindow window = rig_.Measure(window_ * iterations);
  RowResult result;
  result.counters = CountersOf(window, options_);
  result.seconds = window.length;
  if (options_.peer == "sse") result.violations = Violations(window, options_);
  return result;
}

}  // namespace rpcbench
