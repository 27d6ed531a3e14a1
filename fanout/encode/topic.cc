#include "fanout/encode/topic.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fanout/encode/cohort_set.h"
#include "fanout/encode/cohort_source.h"
#include "fanout/encode/identity_source.h"
#include "fanout/encode/private_source.h"
#include "fanout/encode/raw_zstd_frame.h"
#include "fanout/encode/topic_state.h"

namespace rpcbench {

class Topic::Impl final {
 public:
  explicit Impl(const TopicOptions& options)
      : state_(options), zstd_(options.zstd, state_), brotli_(options.brotli, state_) {
    // What a small window costs is told by who knows the frames; here all must merely be possible.
    CheckEncoder(options.zstd, 0);
    CheckEncoder(options.brotli, 0);
  }

  std::unique_ptr<Source> Join(Codec codec, bool shared, std::string_view first);
  void Publish(std::string_view event);
  bool Tick(Clock::time_point now);
  void Merge() { zstd_.AskForMerge(); }
  void Seal();
  TopicCounts counts() const;

 private:
  void Pass(Clock::time_point now);

  TopicState state_;
  CohortSet zstd_;
  CohortSet brotli_;
  IdentityChunk identity_;
};

std::unique_ptr<Source> Topic::Impl::Join(Codec codec, bool shared, std::string_view first) {
  Pass(state_.options.now());
  if (codec == Codec::kIdentity) {
    ChunkRef chunk = first.empty() ? nullptr : std::make_shared<const Chunk>(first, 1);
    return std::make_unique<IdentitySource>(identity_, state_, std::move(chunk));
  }
  if (!shared || (codec == Codec::kBrotli && !first.empty())) {
    const EncoderOptions& options =
        codec == Codec::kZstd ? state_.options.zstd : state_.options.brotli;
    return std::make_unique<PrivateSource>(options, state_, first);
  }
  CohortSet& cohorts = codec == Codec::kZstd ? zstd_ : brotli_;
  cohorts.Prepare();
  ChunkRef chunk;
  if (!first.empty()) {
    std::string frame;
    AppendRawZstdFrame(first, frame);
    chunk = std::make_shared<const Chunk>(frame, 1);
  }
  return std::make_unique<CohortSource>(cohorts, state_, std::move(chunk));
}

void Topic::Impl::Publish(std::string_view event) {
  Pass(state_.options.now());
  state_.SetNewest(event);
  state_.audience.Publish();
  zstd_.Publish();
  brotli_.Publish();
  if (state_.pool.threads() > 1) PrivateSource::EncodeAhead(state_);
}

bool Topic::Impl::Tick(Clock::time_point now) {
  Pass(now);
  zstd_.Retry();
  brotli_.Retry();
  return state_.joins.TakeWaiting();
}

void Topic::Impl::Seal() {
  state_.audience.Seal();
  zstd_.CloseToJoiners();
  brotli_.CloseToJoiners();
}

TopicCounts Topic::Impl::counts() const {
  TopicCounts counts;
  counts.ledger = state_.audience.ledger();
  counts.pending = state_.audience.pending();
  counts.members = state_.members;
  counts.privates = state_.privates.size();
  counts.cohorts = zstd_.live() + brotli_.live();
  counts.encodes = state_.meter.encodes;
  counts.encoded_bytes = state_.meter.bytes;
  counts.merges = state_.merges;
  counts.laggard_moves = state_.laggard_moves;
  counts.first_frames = state_.first_frames;
  counts.rotations = state_.rotations;
  counts.failures = state_.meter.failures;
  counts.encoder_heap = state_.private_heap + zstd_.heap() + brotli_.heap() +
                        (state_.ring ? state_.ring->capacity() : 0);
  counts.encode_cpu = state_.meter.encode_cpu;
  counts.canary_cpu = state_.meter.canary_cpu;
  return counts;
}

void Topic::Impl::Pass(Clock::time_point now) {
  state_.now = std::max(state_.now, now);
  state_.joins.Refill(state_.now);
}

Topic::Topic(const TopicOptions& options) : impl_(std::make_unique<Impl>(options)) {}

Topic::~Topic() = default;

std::unique_ptr<Source> Topic::Join(Codec codec, bool shared) {
  return impl_->Join(codec, shared, {});
}

std::unique_ptr<Source> Topic::JoinWithFirst(Codec codec, bool shared, std::string_view first) {
  return impl_->Join(codec, shared, first);
}

void Topic::Publish(std::string_view event) {
  impl_->Publish(event);
}

bool Topic::Tick(Clock::time_point now) {
  return impl_->Tick(now);
}

void Topic::Merge() {
  impl_->Merge();
}

void Topic::Seal() {
  impl_->Seal();
}

TopicCounts Topic::counts() const {
  return impl_->counts();
}

}  // namespace rpcbench
