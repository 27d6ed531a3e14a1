// All cohorts of one codec in a topic: opens them for joiners, encodes for each, merges them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/cohort.h"
#include "fanout/encode/topic_state.h"

namespace rpcbench {

// One thread. `state` outlives it. Throws nothing but where it is said: a cohort whose encoder or
// canary fails is retired and counted, and the others go on.
class CohortSet final {
 public:
  CohortSet(const EncoderOptions& encoder, TopicState& state);
  ~CohortSet();
  CohortSet(const CohortSet&) = delete;
  CohortSet& operator=(const CohortSet&) = delete;

  Codec codec() const { return encoder_.codec; }

  // Makes what Opening() returns, once. Throws Error.
  void Prepare();
  // brotli: the bytes that every cohort starts with, which decode to no event. They let a stream
  // that is in no cohort yet be sent heartbeats, and join any of them later. Empty for zstd.
  const std::string& opening() const { return opening_; }

  // Encodes the newest event of the state for every cohort; merges first if that is due.
  void Publish();
  void AskForMerge() { merge_asked_ = true; }
  void CloseToJoiners();

  // A cohort whose log starts at `event` or later, for one that has seen all before; a new one if
  // need be. There is at least one event. Null if no encoder can be made or it fails; the next try
  // is after Retry.
  Cohort* Joinable(std::uint64_t event);
  void Retry() { failed_ = false; }

  std::size_t live() const;  // cohorts that have an encoder
  std::size_t heap() const;  // bytes that the encoders hold

 private:
  std::unique_ptr<Cohort> Make();
  Cohort* Open();
  bool Merge();
  // Takes the cohorts that are live now through one event; those that fail are retired.
  void EncodeFor(const std::vector<Cohort*>& cohorts);
  void Sweep();

  const EncoderOptions encoder_;
  TopicState& state_;
  std::string opening_;
  std::vector<std::unique_ptr<Cohort>> cohorts_;
  std::vector<Cohort*> live_;                        // scratch of Publish
  Cohort* youngest_ = nullptr;                       // the only one that may take joiners
  std::chrono::steady_clock::time_point merge_due_;  // once there is more than one
  bool merge_asked_ = false;
  bool failed_ = false;
};

}  // namespace rpcbench
