// What a topic and all its sources share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fanout/encode/audience.h"
#include "fanout/encode/encode_meter.h"
#include "fanout/encode/join_budget.h"
#include "fanout/encode/topic.h"

namespace rpcbench {

// A comment of the stream's format: no event, and the only text that is none.
inline constexpr std::string_view kSilentText = ":\n\n";

// One thread. The topic owns it; sources and sets of cohorts refer to it.
struct TopicState {
  explicit TopicState(const TopicOptions& topic_options)
      : options(topic_options),
        now(topic_options.now()),
        joins(topic_options.join_bytes_per_second, now) {}

  const TopicOptions options;
  std::chrono::steady_clock::time_point now;  // as of the last Publish, Tick or Join
  Audience audience;
  JoinBudget joins;
  EncodeMeter meter;
  std::string newest;  // the text of the newest event

  std::uint64_t joined = 0;  // cohort members there ever were
  std::size_t members = 0;
  std::size_t privates = 0;
  std::size_t private_heap = 0;  // bytes that the private encoders hold
  std::uint64_t merges = 0;
  std::uint64_t laggard_moves = 0;
  std::uint64_t first_frames = 0;
  std::uint64_t rotations = 0;
};

}  // namespace rpcbench
