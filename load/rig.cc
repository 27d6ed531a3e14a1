#include "load/rig.h"

#include "measure/sockets.h"

namespace rpcbench {
namespace {

std::unique_ptr<Target> StartTarget(const Framework& framework, const LoadOptions& options,
                                    int connections) {
  TargetOptions target = options.target;
  target.server.connections = connections;
  if (framework.traits.in_process) return StartInProcess(framework, target);
  if (options.attach) return AttachTo(*options.attach);
  return options.in_process ? StartInProcess(framework, target) : StartProcess(framework, target);
}

}  // namespace

Rig::Rig(const Framework& framework, const LoadOptions& options, int connections,
         std::uint32_t call_limit, ReplySink& sink)
    : in_process_transport_(framework.traits.in_process),
      local_server_(!options.attach),
      connections_(connections),
      delay_(options.target.server.delay),
      target_(StartTarget(framework, options, connections)) {
  ClientOptions client;
  client.connections = connections;
  client.threads = options.client_threads;
  client.call_limit = call_limit;
  clients_ = framework.connect(target_->address(), client, sink);
}

Rig::~Rig() {
  clients_.clear();
}

Measurement Rig::Measure(const Runs& runs, const Tally& tally, Count count) {
  const auto connections_before = Connections();
  Measurement measurement;
  Begin(count);
  std::chrono::nanoseconds length{0};
  for (std::int64_t i = 0; i < runs.iterations; ++i) length += runs.run();
  measurement.resources = End();
  measurement.length = length;
  measurement.facts = Facts(connections_before);
  measurement.facts.in_flight_limit = runs.calls;
  AddTally(tally, measurement);
  return measurement;
}

void Rig::Begin(Count count) {
  target_->Mark(count);
  counting_ = count == Count::kAllocations && CanCountAllocations();
  machine_began_ = MachineUsageNow();
  began_ = UsageNow();
  began_at_ = std::chrono::steady_clock::now();
  if (counting_) StartCountingAllocations();
}

ResourceUse Rig::End() {
  ResourceUse use;
  if (counting_) use.client_allocations = StopCountingAllocations();
  counting_ = false;
  use.elapsed = std::chrono::steady_clock::now() - began_at_;
  use.client = UsageNow();
  use.client.user -= began_.user;
  use.client.system -= began_.system;
  use.client.voluntary_switches -= began_.voluntary_switches;
  use.client.involuntary_switches -= began_.involuntary_switches;
  use.server = target_->Report();
  use.machine = MachineUsageNow();
  use.machine.busy -= machine_began_.busy;
  use.machine.stolen -= machine_began_.stolen;
  return use;
}

std::optional<int> Rig::Connections() const {
  if (in_process_transport_ || !local_server_) return std::nullopt;
  return EstablishedConnections(target_->address().port);
}

RowFacts Rig::Facts(std::optional<int> connections_before) const {
  RowFacts facts;
  facts.connections = connections_;
  facts.connections_before = connections_before;
  facts.connections_after = Connections();
  facts.delay = delay_;
  if (!in_process_transport_) {
    facts.client_without_nodelay =
        OwnSockets(target_->address().port, Side::kClient).without_nodelay;
  }
  return facts;
}

}  // namespace rpcbench
