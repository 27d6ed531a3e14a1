#include "fanout/board/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "fanout/encode/encode_meter.h"

namespace rpcbench {

Writer::Writer(Apply apply, Committed& committed, const WriterOptions& options)
    : apply_(std::move(apply)), committed_(committed), options_(options) {
  commands_.reserve(options.batch);
  thread_ = std::thread([this] { Run(); });
}

Writer::~Writer() {
  Stop();
}

void Writer::Submit(const Command& command, Settle settle) {
  Status refusal;
  {
    const std::lock_guard lock(mutex_);
    refusal = Refusal(command);
    if (refusal.ok())
      queue_.push_back({command, std::move(settle)});
    else
      ++counts_.failed;
  }
  if (refusal.ok())
    changed_.notify_one();
  else
    settle(refusal);
}

Status Writer::Refusal(const Command& command) const {
  if (command.card < 0 || command.card >= options_.cards) {
    return {StatusCode::kUnknownCard,
            fmt::format("there is no card {}: they are 0 to {}", command.card, options_.cards - 1)};
  }
  if (stopping_) return {StatusCode::kStopped, "the board takes no more commands: it stops"};
  if (queue_.size() >= options_.queue_limit) {
    return {StatusCode::kQueueFull,
            fmt::format("{} commands wait already, and no more may", queue_.size())};
  }
  return {};
}

void Writer::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

WriterCounts Writer::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void Writer::Run() {
  std::vector<Waiting> batch;
  while (TakeBatch(batch)) Commit(batch);
}

bool Writer::TakeBatch(std::vector<Waiting>& batch) {
  batch.clear();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
  const auto many = static_cast<std::ptrdiff_t>(std::min(queue_.size(), options_.batch));
  batch.assign(std::make_move_iterator(queue_.begin()),
               std::make_move_iterator(queue_.begin() + many));
  queue_.erase(queue_.begin(), queue_.begin() + many);
  return !batch.empty();
}

void Writer::Commit(const std::vector<Waiting>& batch) {
  commands_.clear();
  for (const Waiting& waiting : batch) commands_.push_back(waiting.command);
  const auto began = ThreadCpu();
  const Status status = apply_(commands_);
  const auto used = ThreadCpu() - began;
  // Before anybody is told: who is told may look at the very next tick.
  if (status.ok()) committed_.Add(commands_);
  {
    const std::lock_guard lock(mutex_);
    counts_.commit_cpu += used;
    ++(status.ok() ? counts_.transactions : counts_.failed_transactions);
    (status.ok() ? counts_.committed : counts_.failed) += batch.size();
  }
  for (const Waiting& waiting : batch) waiting.settle(status);
}

}  // namespace rpcbench
