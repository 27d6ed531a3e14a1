#include "fanout/peer/live_connect.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "echo/error.h"
#include "fanout/load/hash.h"
#include "fanout/peer/http_caller.h"
#include "fanout/peer/publisher.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(30);
constexpr double kMaxBackSeconds = 10;

// Every stream has to have had the event with this data.
bool AllShow(const StreamLoadReport& report, const std::string& data) {
  return report.state.size() == 1 && report.state[0].hash == HashOf(data);
}

}  // namespace

LiveConnect::LiveConnect(const PushOptions& options)
    : options_(options), server_(StartSseEvents(ServerOptionsOf(options))) {}

RowResult LiveConnect::Run(std::int64_t iterations, Count) {
  RowResult sum;
  for (std::int64_t i = 0; i < iterations; ++i) {
    RowResult once = RunOnce();
    sum.seconds += once.seconds;
    sum.counters = std::move(once.counters);  // of the last one
    sum.violations.insert(sum.violations.end(), once.violations.begin(), once.violations.end());
  }
  return sum;
}

RowResult LiveConnect::RunOnce() {
  RowResult result;
  const std::int64_t before = server_->Use().rss_kb;
  auto load = std::make_unique<LoadProcess>(LoadOptionsOf(options_, *server_), options_.sse_load);
  const StreamLoadTime connect = load->AwaitOpen();
  load->Mark();
  HttpCaller caller(server_->address(), kPatience);
  caller.Post("/cut", "");
  const StreamLoadTime back = load->AwaitReconnect();
  const std::string data = EventData(Clock::now().time_since_epoch(), 1, options_.event_bytes);
  caller.Post(server_->publish_path(), data);
  StreamLoadReport report = load->Report();
  const auto deadline = Clock::now() + kPatience;
  while (!AllShow(report, data) && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    report = load->Report();
  }
  const std::int64_t with_all = server_->Use().rss_kb;
  load.reset();
  AwaitAllGone();
  const std::int64_t after = server_->Use().rss_kb;

  const auto streams = static_cast<double>(options_.streams);
  result.seconds = connect.time + back.time;
  result.counters = {{"connect_s", connect.time.count()},
                     {"back_s", back.time.count()},
                     {"rss_before_kb", static_cast<double>(before)},
                     {"rss_kb_stream", static_cast<double>(with_all - before) / streams},
                     {"rss_back_kb", static_cast<double>(after)},
                     {"reconnects", static_cast<double>(report.reconnects)}};
  if (!AllShow(report, data)) result.violations.emplace_back("not every stream got the event");
  if (report.events_most > 1) result.violations.emplace_back("a stream got the event twice");
  if (back.time.count() > kMaxBackSeconds) {
    result.violations.push_back(
        fmt::format("all streams were back after {:.1f} s only", back.time.count()));
  }
  return result;
}

void LiveConnect::AwaitAllGone() {
  HttpCaller caller(server_->address(), kPatience);
  const auto deadline = Clock::now() + kPatience;
  for (;;) {
    const auto counts = nlohmann::json::parse(caller.Get("/counts").body, nullptr, false);
    if (!counts.is_discarded() && counts.value("streams", 1) == 0) return;
    if (Clock::now() > deadline) throw Error("streams that left are still counted by the server");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace rpcbench
