// What a topic and all its sources share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/audience.h"
#include "fanout/encode/encode_meter.h"
#include "fanout/encode/join_budget.h"
#include "fanout/encode/text_ring.h"
#include "fanout/encode/topic.h"
#include "fanout/encode/work_pool.h"

namespace rpcbench {

// A comment of the stream's format: no event, and the only text that is none.
inline constexpr std::string_view kSilentText = ":\n\n";

class PrivateSource;

// One thread. The topic owns it; sources and sets of cohorts refer to it.
struct TopicState {
  explicit TopicState(const TopicOptions& topic_options)
      : options(topic_options),
        now(topic_options.now()),
        joins(topic_options.join_bytes_per_second, now),
        pool(topic_options.encode_threads) {}

  // For a private stream that is about to join: null if its encoder has a window of its own.
  const TextRing* RingFor(Codec codec);
  // The newest event, where a private encoder of this codec wants it.
  std::string_view NewestFor(Codec codec) const;
  // A new event.
  void SetNewest(std::string_view event);

  const TopicOptions options;
  std::chrono::steady_clock::time_point now;  // as of the last Publish, Tick or Join
  Audience audience;
  JoinBudget joins;
  EncodeMeter meter;
  std::string newest;  // the text of the newest event
  WorkPool pool;

  // What zstd's private encoders look back into, until an event comes that no private stream waits
  // for. The newest event is in it.
  std::optional<TextRing> ring;
  std::string_view newest_in_ring;

  std::uint64_t joined = 0;  // cohort members there ever were
  std::size_t members = 0;
  std::vector<PrivateSource*> privates;
  std::size_t private_heap = 0;  // bytes that the private encoders hold
  std::uint64_t merges = 0;
  std::uint64_t laggard_moves = 0;
  std::uint64_t first_frames = 0;
  std::uint64_t rotations = 0;

 private:
  void Keep();
};

}  // namespace rpcbench
