#include "fanout/board/producers.h"

#include <utility>

namespace rpcbench {

Producers::Producers(const ProducerOptions& options, Submit submit)
    : options_(options),
      schedule_(options.producers, options.rate),
      submit_(std::move(submit)),
      cards_(options.seed) {}

Producers::~Producers() {
  Stop();
}

void Producers::Start() {
  Begin(Clock::now());
  thread_ = std::thread([this] { Run(); });
}

void Producers::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Producers::Run() {
  for (;;) {
    const auto next = SubmitDue(Clock::now());
    std::unique_lock lock(mutex_);
    if (changed_.wait_until(lock, next, [this] { return stopping_; })) return;
  }
}

Producers::Clock::time_point Producers::SubmitDue(Clock::time_point now) {
  for (;; ++next_) {
    const auto due = start_ + schedule_.DueAfter(next_);
    if (due > now) return due;
    // The draw is one a command and in the commands' order, whoever sends it: the same seed gives
    // the same commands for any number of producers.
    const Command command{static_cast<int>(cards_() % static_cast<std::uint64_t>(options_.cards))};
    {
      const std::lock_guard lock(mutex_);
      ++counts_.submitted;
    }
    submit_(command, [this, due](const Status& status) { OnSettled(due, status); });
  }
}

void Producers::OnSettled(Clock::time_point due, const Status& status) {
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (!status.ok()) {
    if (counts_.failed++ == 0) counts_.first_failure = status.message;
    return;
  }
  ++counts_.committed;
  if (due >= window_begin_ && due < window_end_) due_to_commit_.Add(now - due);
}

void Producers::BeginWindow(Clock::time_point begin, std::size_t capacity) {
  const std::lock_guard lock(mutex_);
  due_to_commit_.Reset(capacity);
  window_begin_ = begin;
  window_end_ = Clock::time_point::max();
}

void Producers::EndWindow(Clock::time_point end) {
  const std::lock_guard lock(mutex_);
  window_end_ = end;
}

ProducerCounts Producers::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace rpcbench
