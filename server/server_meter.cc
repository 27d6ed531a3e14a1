#include "server/server_meter.h"

namespace rpcbench {

ServerMeter::ServerMeter(const Framework& framework, const ServerOptions& options,
                         bool shares_process)
    : shares_process_(shares_process), server_(framework.start_server(options, hold_meter_)) {
  Mark(Count::kNothing);
}

ServerMeter::~ServerMeter() {
  Stop();
}

Address ServerMeter::address() const {
  return server_->address();
}

void ServerMeter::Mark(Count count) {
  hold_meter_.Reset();
  counting_ = count == Count::kAllocations && !shares_process_ && CanCountAllocations();
  marked_ = UsageNow();
  marked_at_ = std::chrono::steady_clock::now();
  if (counting_) StartCountingAllocations();
}

ServerReport ServerMeter::Report() {
  ServerReport report;
  if (counting_) report.allocations = StopCountingAllocations();
  report.elapsed = std::chrono::steady_clock::now() - marked_at_;
  if (!shares_process_) {
    ProcessUsage usage = UsageNow();
    usage.user -= marked_.user;
    usage.system -= marked_.system;
    usage.voluntary_switches -= marked_.voluntary_switches;
    usage.involuntary_switches -= marked_.involuntary_switches;
    report.usage = usage;
  }
  report.held = hold_meter_.Report();
  report.sockets = OwnSockets(server_->address().port, Side::kServer);
  counting_ = false;
  return report;
}

void ServerMeter::Stop() {
  server_->Stop();
}

}  // namespace rpcbench
