#include "fanout/encode/cohort_set.h"

#include <algorithm>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

void RetireFailed(Cohort& cohort, TopicState& state) {
  cohort.Retire();
  ++state.meter.failures;
}

}  // namespace

CohortSet::CohortSet(const EncoderOptions& encoder, TopicState& state)
    : encoder_(encoder), state_(state) {}

CohortSet::~CohortSet() = default;

void CohortSet::Prepare() {
  if (codec() != Codec::kBrotli || !opening_.empty()) {
    return;
  }
  std::string opening;
  state_.options.make_encoder(encoder_, nullptr)->Encode(kSilentText, opening);
  if (state_.options.canary && !Canary(codec()).Reads(opening, kSilentText)) {
    throw Error("brotli stream does not start with what was encoded");
  }
  opening_ = std::move(opening);
}

void CohortSet::Publish() {
  Sweep();
  Retry();
  const bool asked = std::exchange(merge_asked_, false);
  if (codec() == Codec::kZstd && live() > 1 && (asked || state_.now >= merge_due_) && Merge()) {
    return;
  }
  live_.clear();
  for (const auto& cohort : cohorts_) {
    if (cohort->live()) {
      live_.push_back(cohort.get());
    }
  }
  EncodeFor(live_);
}

// The members find out when they pull: what they wait for is in a cohort that has no more of it.
bool CohortSet::Merge() {
  merge_due_ = state_.now + state_.options.epoch;
  Cohort* merged = Open();
  if (merged == nullptr) {
    return false;
  }
  for (const auto& cohort : cohorts_) {
    if (cohort.get() != merged) {
      cohort->Retire();
    }
  }
  ++state_.merges;
  return true;
}

void CohortSet::CloseToJoiners() {
  if (youngest_ != nullptr) {
    youngest_->CloseToJoiners();
  }
}

Cohort* CohortSet::Joinable(std::uint64_t event) {
  if (youngest_ != nullptr && youngest_->takes_joiners() && youngest_->first_event() >= event) {
    return youngest_;
  }
  return failed_ ? nullptr : Open();
}

std::size_t CohortSet::live() const {
  return static_cast<std::size_t>(
      std::count_if(cohorts_.begin(), cohorts_.end(), [](const auto& c) { return c->live(); }));
}

std::size_t CohortSet::heap() const {
  std::size_t sum = 0;
  for (const auto& cohort : cohorts_) {
    sum += cohort->heap();
  }
  return sum;
}

std::unique_ptr<Cohort> CohortSet::Make() {
  const TopicOptions& options = state_.options;
  std::unique_ptr<Encoder> encoder = options.make_encoder(encoder_, nullptr);
  auto canary = options.canary ? std::make_unique<Canary>(codec()) : nullptr;
  if (!opening_.empty()) {
    std::string opening;
    encoder->Encode(kSilentText, opening);
    if (opening != opening_ || (canary && !canary->Reads(opening, kSilentText))) {
      throw Error("brotli stream starts otherwise than the ones before it");
    }
  }
  return std::make_unique<Cohort>(std::move(encoder), std::move(canary), opening_,
                                  CohortOptions{.first_event = state_.audience.newest(),
                                                .log_events = options.log_events,
                                                .log_decoded_bytes = options.log_decoded_bytes,
                                                .lag_events = options.lag_events});
}

Cohort* CohortSet::Open() {
  try {
    cohorts_.push_back(Make());
  } catch (const Error&) {
    ++state_.meter.failures;
    failed_ = true;
    return nullptr;
  }
  Cohort* opened = cohorts_.back().get();
  EncodeFor({opened});
  if (!opened->live()) {
    cohorts_.pop_back();
    failed_ = true;
    return nullptr;
  }
  CloseToJoiners();
  youngest_ = opened;
  if (live() == 2) {
    merge_due_ = state_.now + state_.options.epoch;
  }
  return opened;
}

// Step by step for all of them, so that the clock is read three times and not three times a cohort.
void CohortSet::EncodeFor(const std::vector<Cohort*>& cohorts) {
  const auto start = ThreadCpu();
  for (Cohort* cohort : cohorts) {
    try {
      cohort->Encode(state_.newest);
      ++state_.meter.encodes;
      state_.meter.bytes += cohort->encoded_bytes();
    } catch (const Error&) {
      RetireFailed(*cohort, state_);
    }
  }
  const auto encoded = ThreadCpu();
  for (Cohort* cohort : cohorts) {
    if (!cohort->live()) {
      continue;
    }
    if (cohort->Check(state_.newest)) {
      cohort->Commit();
    } else {
      RetireFailed(*cohort, state_);
    }
  }
  state_.meter.encode_cpu += encoded - start;
  state_.meter.canary_cpu += ThreadCpu() - encoded;
}

// What joiners may still enter is spared: after a merge nobody may have pulled yet.
void CohortSet::Sweep() {
  std::erase_if(cohorts_, [this](const auto& cohort) {
    if (cohort->members() != 0 || cohort->takes_joiners()) {
      return false;
    }
    if (cohort.get() == youngest_) {
      youngest_ = nullptr;
    }
    return true;
  });
}

}  // namespace rpcbench
