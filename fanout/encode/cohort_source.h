// A member of a cohort: an index into its log. What moves between cohorts, and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "fanout/encode/audience.h"
#include "fanout/encode/cohort_set.h"
#include "fanout/encode/source.h"
#include "fanout/encode/topic_state.h"

namespace rpcbench {

// It enters a cohort with its first Next, and so it is in none until there is an event and the join
// budget allows it. zstd: it is moved by a splice when its cohort has no more for it (merged,
// failed, sealed) or it is behind. brotli: it is closed then.
class CohortSource final : public Source {
 public:
  // `first`: a chunk for this stream alone, before all others, that ends at a frame's end; or null.
  CohortSource(CohortSet& cohorts, TopicState& state, ChunkRef first);
  ~CohortSource() override;

  ChunkRef Next() override;
  void Sent() override { place_.Sent(); }
  ChunkRef Heartbeat() override;
  std::string_view closing() const override;

 private:
  bool HasMore() const;
  bool IsBehind() const { return place_.behind() > state_.options.lag_events; }
  ChunkRef EnterNewCohort();
  void LeaveCohort();

  CohortSet& cohorts_;
  TopicState& state_;
  Place place_;
  Cohort* cohort_ = nullptr;
  ChunkRef first_;
  std::chrono::steady_clock::time_point rotate_at_;
  bool started_ = false;  // a zstd frame or brotli stream was begun, and not ended
};

}  // namespace rpcbench
