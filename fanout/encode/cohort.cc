#include "fanout/encode/cohort.h"

#include <utility>

namespace rpcbench {

Cohort::Cohort(std::unique_ptr<Encoder> encoder, std::unique_ptr<Canary> canary,
               std::string opening, const CohortOptions& options)
    : options_(options),
      encoder_(std::move(encoder)),
      canary_(std::move(canary)),
      opening_(std::move(opening)),
      base_(options.first_event) {}

Cohort::~Cohort() = default;

void Cohort::Encode(std::string_view text) {
  staged_.clear();
  encoder_->Encode(text, staged_);
}

bool Cohort::Check(std::string_view text) {
  decoded_bytes_ += text.size();
  return !canary_ || canary_->Reads(staged_, text);
}

void Cohort::Commit() {
  log_.push_back({std::make_shared<const Chunk>(staged_, 1), std::exchange(waiting_for_more_, 0)});
  replays_ = {};
  // One event alone can pass the bound of bytes; it is still better shared than encoded again.
  if (log_.size() > options_.log_events ||
      (log_.size() > 1 && decoded_bytes_ > options_.log_decoded_bytes)) {
    open_ = false;
  }
  Trim();
}

void Cohort::Retire() {
  encoder_.reset();
  canary_.reset();
  CloseToJoiners();
}

void Cohort::CloseToJoiners() {
  open_ = false;
  replays_ = {};
  Trim();
}

ChunkRef Cohort::Replay(Lead lead) {
  if (lead == Lead::kNone && log_.size() == 1) {
    return log_.front().chunk;
  }
  ChunkRef& replay = replays_[static_cast<std::size_t>(lead)];
  if (!replay) {
    std::string body;
    if (lead == Lead::kEndOfFrame) {
      AppendEndOfZstdFrame(body);
    } else if (lead == Lead::kOpening) {
      body = opening_;
    }
    for (const Entry& entry : log_) {
      body += entry.chunk->body();
    }
    replay = std::make_shared<const Chunk>(body, static_cast<std::uint32_t>(log_.size()));
  }
  return replay;
}

void Cohort::Enter() {
  ++members_;
  ++waiting_for_more_;
}

ChunkRef Cohort::Take(std::uint64_t event) {
  Entry& entry = log_[event - base_];
  ChunkRef chunk = entry.chunk;
  --entry.waiting;
  ++WaitingFor(event + 1);
  Trim();
  return chunk;
}

void Cohort::Leave(std::uint64_t event) {
  --members_;
  if (event >= base_) {  // else it was so far behind that its entry is gone, and the count with it
    --WaitingFor(event);
    Trim();
  }
}

std::size_t& Cohort::WaitingFor(std::uint64_t event) {
  return Has(event) ? log_[event - base_].waiting : waiting_for_more_;
}

void Cohort::Trim() {
  if (open_) {
    return;
  }
  while (!log_.empty() && (log_.front().waiting == 0 || log_.size() > options_.lag_events)) {
    log_.pop_front();
    ++base_;
  }
}

}  // namespace rpcbench
