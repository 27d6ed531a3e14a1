#include "fanout/encode/cohort_source.h"

#include <memory>
#include <string>
#include <utility>

#include "fanout/encode/encoder.h"
#include "fanout/encode/raw_zstd_frame.h"

namespace rpcbench {
namespace {

// A quarter more or less than the period, evenly spread over streams that join at once: multiples
// of the golden ratio fill the unit interval as evenly as can be, however many there are.
std::chrono::nanoseconds SpreadRotation(std::chrono::nanoseconds period, std::uint64_t number) {
  const std::uint64_t turn = number * 0x9e3779b97f4a7c15;  // the ratio's fraction, times 2^64
  const double fraction = static_cast<double>(turn >> 11) / static_cast<double>(1ull << 53);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period * (0.75 + 0.5 * fraction));
}

ChunkRef MakeHeartbeat(const CohortSet& cohorts, bool started) {
  std::string body;
  if (started) {
    AppendHeartbeat(cohorts.codec(), body);
  } else if (cohorts.codec() == Codec::kZstd) {
    AppendRawZstdFrame(kSilentText, body);
  } else {
    body = cohorts.opening();
  }
  return std::make_shared<const Chunk>(body, 0);
}

}  // namespace

CohortSource::CohortSource(CohortSet& cohorts, TopicState& state, ChunkRef first)
    : cohorts_(cohorts),
      state_(state),
      place_(state.audience),
      first_(std::move(first)),
      rotate_at_(state.now + SpreadRotation(state.options.rotation, ++state.joined)) {
  ++state_.members;
}

CohortSource::~CohortSource() {
  state_.rotations += closing() == "rotated" ? 1 : 0;
  --state_.members;
  LeaveCohort();
}

ChunkRef CohortSource::Next() {
  if (place_.busy()) {
    return nullptr;
  }
  if (first_) {
    place_.TakeOwn();
    ++state_.first_frames;
    return std::exchange(first_, nullptr);
  }
  if (place_.behind() == 0) {
    return nullptr;
  }
  if (!HasMore()) {
    return EnterNewCohort();
  }
  ChunkRef chunk = cohort_->Take(place_.next());
  place_.Take(place_.next(), 1);
  return chunk;
}

ChunkRef CohortSource::Heartbeat() {
  ChunkRef heartbeat = MakeHeartbeat(cohorts_, started_);
  started_ = started_ || cohorts_.codec() == Codec::kBrotli;
  return heartbeat;
}

std::string_view CohortSource::closing() const {
  if (cohorts_.codec() == Codec::kZstd || cohort_ == nullptr) {
    return {};
  }
  if (!cohort_->live()) {
    return "failed";
  }
  if (IsBehind()) {
    return "slow";
  }
  if (place_.next() < state_.audience.floor()) {
    return "sealed";
  }
  // Between two events only: it comes back and is shown the newest.
  return state_.now >= rotate_at_ && !place_.busy() ? "rotated" : std::string_view();
}

bool CohortSource::HasMore() const {
  return cohort_ != nullptr && cohort_->Has(place_.next()) && !IsBehind() &&
         place_.next() >= state_.audience.floor();
}

ChunkRef CohortSource::EnterNewCohort() {
  const bool joins = cohort_ == nullptr;
  if (joins ? !state_.joins.Allows() : cohorts_.codec() == Codec::kBrotli) {
    return nullptr;
  }
  // Who has seen nothing yet may see the whole log; who has must not be sent back in time.
  Cohort* target = cohorts_.Joinable(joins ? 0 : place_.next());
  if (target == nullptr) {
    state_.joins.Wait();
    return nullptr;
  }
  if (!joins) {
    state_.laggard_moves += IsBehind() ? 1 : 0;
    LeaveCohort();
  }
  Cohort::Lead lead = Cohort::Lead::kNone;
  if (cohorts_.codec() == Codec::kZstd) {
    lead = started_ ? Cohort::Lead::kEndOfFrame : Cohort::Lead::kNone;
  } else {
    lead = started_ ? Cohort::Lead::kNone : Cohort::Lead::kOpening;
  }
  ChunkRef replay = target->Replay(lead);
  if (joins) {
    state_.joins.Spend(replay->body().size());
  }
  target->Enter();
  cohort_ = target;
  started_ = true;
  place_.Take(target->first_event(), replay->events());
  return replay;
}

void CohortSource::LeaveCohort() {
  if (cohort_ != nullptr) {
    cohort_->Leave(place_.next());
    cohort_ = nullptr;
  }
}

}  // namespace rpcbench
