#include "fanout/peer/peer_watch.h"

#include <fmt/format.h>

#include "fanout/load/table.h"
#include "fanout/peer/push_rig.h"
#include "process/signal_wait.h"

namespace rpcbench {

bool WatchPeer(PushOptions options, std::chrono::nanoseconds window) {
  CatchInterrupts();
  options.cpus = SplitAllowedCpus();
  PinTo(options.cpus.client);
  PushRig rig(options);
  const PushWindow seen = rig.Measure(window);
  const std::chrono::duration<double, std::micro> cpu = seen.server.user + seen.server.system;
  const double events = static_cast<double>(std::max<std::uint64_t>(1, seen.load.events));
  const double streams = static_cast<double>(options.streams);
  fmt::print("{}", TableOf(seen.load));
  fmt::print("{:<12}{}: {:.2f} us an event ({:.2f} cores), {:.1f} KB a stream\n", "server",
             options.peer, cpu.count() / events, cpu.count() / 1e6 / seen.length.count(),
             static_cast<double>(seen.server.rss_kb - seen.server_idle_kb) / streams);
  const auto violations = Violations(seen, options);
  for (const std::string& violation : violations) {
    fmt::print(stderr, "sse_load: {}\n", violation);
  }
  return violations.empty();
}

}  // namespace rpcbench
