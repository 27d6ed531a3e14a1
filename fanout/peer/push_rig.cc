#include "fanout/peer/push_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "fanout/load/hash.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kSettle = std::chrono::seconds(10);
constexpr double kMaxLateShare = 0.02;

// Throws Error on Ctrl-C.
void Sleep(std::chrono::nanoseconds time) {
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    ThrowIfInterrupted();
    std::this_thread::sleep_until(
        std::min<Clock::time_point>(end, Clock::now() + std::chrono::milliseconds(50)));
  }
}

StreamLoadOptions LightLoadOf(const PushOptions& options, const PushServer& server) {
  StreamLoadOptions load = LoadOptionsOf(options, server);
  // The publisher shares the core, and the figure is the server's.
  load.decode_share = 0.1;
  return load;
}

ProcessUse Between(const ProcessUse& before, const ProcessUse& after) {
  return {after.user - before.user, after.system - before.system, after.rss_kb};
}

}  // namespace

PushRig::PushRig(const PushOptions& options)
    : options_(options),
      server_(StartPushServer(options.peer, ServerOptionsOf(options))),
      idle_kb_(server_->Use().rss_kb),
      load_(std::make_unique<LoadProcess>(LightLoadOf(options, *server_), options.sse_load)) {
  load_->AwaitOpen();
}

PushRig::~PushRig() = default;

PushWindow PushRig::Measure(std::chrono::nanoseconds length) {
  Publisher publisher({.server = server_->address(),
                       .path = server_->publish_path(),
                       .rate = options_.rate,
                       .event_bytes = options_.event_bytes,
                       .first = next_});
  Sleep(options_.warm_up);
  PushWindow window;
  window.server_idle_kb = idle_kb_;
  load_->Mark();
  const auto began = Clock::now();
  const ProcessUse before = server_->Use();
  const std::uint64_t published = publisher.published();
  const std::uint64_t late = publisher.late();
  Sleep(length);
  window.server = Between(before, server_->Use());
  window.length = Clock::now() - began;
  window.published = publisher.published() - published;
  window.published_late = publisher.late() - late;
  window.load = load_->Report();
  publisher.Stop();
  next_ += publisher.published();
  AwaitLast(publisher.last_data(), window);
  return window;
}

// The last event is known by its data: its id is the server's.
void PushRig::AwaitLast(const std::string& data, PushWindow& window) {
  const std::uint64_t last = HashOf(data);
  const auto deadline = Clock::now() + kSettle;
  for (;;) {
    const StreamLoadReport now = load_->Report();
    window.without_last = options_.streams;
    for (const ShownState& shown : now.state) {
      if (shown.hash == last) window.without_last -= std::min(window.without_last, shown.streams);
    }
    window.gaps = now.gaps;
    window.disorder = now.disorder;
    window.mismatches = now.mismatches;
    window.closed = now.closed;
    if (window.without_last == 0 || Clock::now() > deadline) return;
    Sleep(std::chrono::milliseconds(20));
  }
}

std::vector<std::string> Violations(const PushWindow& window, const PushOptions& options) {
  std::vector<std::string> violations;
  const auto check = [&](std::uint64_t count, const char* what) {
    if (count > 0) violations.push_back(fmt::format("{} {}", count, what));
  };
  check(window.mismatches, "chunks differ from what other streams received");
  check(window.gaps, "events were left out of a stream");
  check(window.disorder, "events came twice or out of order");
  check(window.closed, "streams were closed");
  check(window.without_last, "streams did not get the last event");
  if (window.load.timed_events < window.load.events) {
    violations.push_back(fmt::format("{} of {} events have no latency",
                                     window.load.events - window.load.timed_events,
                                     window.load.events));
  }
  const double due = options.rate * window.length.count();
  if (static_cast<double>(window.published) < due * (1 - kMaxLateShare) - 1) {
    violations.push_back(
        fmt::format("{} events were published where {:.0f} were due", window.published, due));
  }
  return violations;
}

}  // namespace rpcbench
