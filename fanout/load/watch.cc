#include "fanout/load/watch.h"

#include <fmt/format.h>

#include "fanout/load/load_loop.h"
#include "fanout/load/table.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

using Clock = LoadLoop::Clock;
constexpr std::chrono::milliseconds kStep(50);  // Ctrl-C is looked for so often

// True once all are open; false at the deadline or on Ctrl-C.
bool Open(LoadLoop& loop, std::chrono::nanoseconds deadline) {
  const auto began = Clock::now();
  while (loop.open() < loop.streams() && Clock::now() < began + deadline && !Interrupted()) {
    loop.Poll(kStep);
  }
  const std::chrono::duration<double> took = Clock::now() - began;
  fmt::print(stderr, "sse_load: {} of {} streams are open after {:.2f} s\n", loop.open(),
             loop.streams(), took.count());
  if (loop.open() == loop.streams()) return true;
  if (!loop.last_problem().empty()) fmt::print(stderr, "sse_load: {}\n", loop.last_problem());
  return false;
}

}  // namespace

bool WatchStreams(const StreamLoadOptions& options, std::chrono::nanoseconds window) {
  CatchInterrupts();
  LoadLoop loop(options);
  if (!Open(loop, options.deadline)) return false;
  loop.Mark();
  const auto end = Clock::now() + window;
  while (Clock::now() < end && !Interrupted()) loop.Poll(kStep);
  const StreamLoadReport report = loop.Report();
  fmt::print("{}", TableOf(report));
  return report.mismatches == 0 && report.disorder == 0;
}

}  // namespace rpcbench
