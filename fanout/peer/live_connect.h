// BenchmarkConnect: many streams at once, all cut at once, all gone.
#pragma once

#include <memory>

#include "bench/row.h"
#include "fanout/peer/push_options.h"

namespace rpcbench {

// Each iteration connects all streams, has the server cut them all, waits until all are back and
// each has had an event, and closes them. Counters: connect_s, back_s (from the first stream lost;
// an EventSource waits `retry`, here a second, spread by half), rss_before_kb, rss_kb_stream (with
// all, after they came back), rss_back_kb (once all have left).
class LiveConnect final : public LiveRow {
 public:
  explicit LiveConnect(const PushOptions& options);

  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  RowResult RunOnce();
  // Waits until the server counts no stream any more.
  void AwaitAllGone();

  const PushOptions options_;
  std::unique_ptr<PushServer> server_;
};

}  // namespace rpcbench
