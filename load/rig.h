// A row's server and clients, and the resources they use.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "load/flags.h"
#include "load/measurement.h"

namespace rpcbench {

// Which resources a measurement takes: the usual ones, or allocations in a pass of its own.
class Rig final {
 public:
  // Starts the server as the options say and connects. Throws Error. `sink` outlives the rig.
  Rig(const Framework& framework, const LoadOptions& options, int connections,
      std::uint32_t call_limit, ReplySink& sink);
  // The clients go first: what is in flight is settled with the sink.
  ~Rig();

  EchoClients& clients() { return clients_; }

  // A load of so many calls that runs to its end again and again.
  struct Runs {
    std::int64_t iterations = 1;
    std::uint32_t calls = 1;
    std::function<std::chrono::nanoseconds()> run;  // once; returns how long it took
  };
  // From the first to the last run, whose calls `tally` has then. Throws what run() throws.
  Measurement Measure(const Runs& runs, const Tally& tally, Count count);

  // The same by hand, for a load that goes on: marks both sides.
  void Begin(Count count);
  // What both used since, with the server's report.
  ResourceUse End();

  // The connections now, as the kernel counts them on the server's port; nothing without sockets of
  // this machine.
  std::optional<int> Connections() const;

  // Facts of the row that do not depend on the load: connections, TCP_NODELAY, delay.
  RowFacts Facts(std::optional<int> connections_before) const;

 private:
  const bool in_process_transport_;
  const bool local_server_;
  const int connections_;
  const std::chrono::nanoseconds delay_;
  std::unique_ptr<Target> target_;
  EchoClients clients_;
  ProcessUsage began_;
  MachineUsage machine_began_;
  std::chrono::steady_clock::time_point began_at_;
  bool counting_ = false;
};

}  // namespace rpcbench
