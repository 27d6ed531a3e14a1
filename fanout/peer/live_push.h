// BenchmarkPush: what a delivered event costs a push server.
#pragma once

#include <chrono>

#include "bench/row.h"
#include "fanout/peer/push_rig.h"

namespace rpcbench {

// Counters: server_us_event (user and system, of all the server's processes, a delivered event),
// server_cores, client_cores (sse_load's; the publisher's are a few permille), events_s,
// delivered_share (of the events whose number a stream saw passed over or got), gaps, late_events,
// latency_p50_ms, latency_p99_ms, bytes_event, rss_kb_stream, decoded_streams, published_s,
// published_late. What nchan loses is reported; of ours nothing may be lost.
class LivePush final : public LiveRow {
 public:
  LivePush(const PushOptions& options, std::chrono::nanoseconds window);

  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  const PushOptions options_;
  const std::chrono::nanoseconds window_;
  PushRig rig_;
};

}  // namespace rpcbench
