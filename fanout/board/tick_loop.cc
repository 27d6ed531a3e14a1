#include "fanout/board/tick_loop.h"

#include <fmt/format.h>

#include "fanout/encode/encode_meter.h"
#include "fanout/sse/event.h"

namespace rpcbench {

TickLoop::TickLoop(boost::asio::io_context& loop, Board& board, Committed& committed, Topic& topic,
                   const TickOptions& options, std::function<void()> kick)
    : board_(board),
      committed_(committed),
      topic_(topic),
      options_(options),
      kick_(std::move(kick)),
      timer_(loop),
      version_(options.first_version - 1) {}

TickLoop::~TickLoop() {
  Stop();
}

void TickLoop::Start() {
  running_ = true;
  Publish();
  counts_ = {};  // this one was no tick
  due_ = Clock::now() + options_.tick;
  Arm();
}

void TickLoop::Stop() {
  running_ = false;
  timer_.cancel();
}

void TickLoop::Arm() {
  timer_.expires_at(due_);
  timer_.async_wait([this, alive = std::weak_ptr<bool>(alive_)](const auto& error) {
    // A wait that was over before it could be cancelled comes all the same, even after the end.
    if (!error && !alive.expired() && running_) OnDue();
  });
}

void TickLoop::OnDue() {
  if (look_) std::exchange(look_, nullptr)(Clock::now());
  const bool late = Clock::now() - due_ > options_.tick / 10;
  if (Tick() && late) ++counts_.late;
  due_ += options_.tick;
  // A tick that took until after the next one was due swallows it: two at once would show nothing
  // that one does not.
  for (const auto now = Clock::now(); due_ <= now; due_ += options_.tick) ++counts_.late;
  Arm();
}

bool TickLoop::Tick() {
  const auto began = Clock::now();
  committed_.Take(taken_);
  if (taken_.empty()) {
    ++counts_.clean;
    if (topic_.Tick(began)) kick_();  // rotations and joiners do not wait for a command
    return false;
  }
  for (const Command& command : taken_) board_.Increment(command.card);
  counts_.commands += taken_.size();
  ++counts_.ticks;
  Publish();
  durations_.Add(Clock::now() - began);
  return true;
}

void TickLoop::Publish() {
  const auto began = ThreadCpu();
  RenderEvent(board_, ++version_, html_, event_);
  const auto rendered = ThreadCpu();
  ++counts_.renders;
  topic_.Publish(event_);
  kick_();
  counts_.render_cpu += rendered - began;
  counts_.publish_cpu += ThreadCpu() - rendered;
}

void AppendBoardEvent(std::string_view html, std::uint64_t version, std::string& event) {
  const std::string id = fmt::format("{}", version);
  AppendEvent({.id = id, .name = kBoardEvent, .data = html}, event);
}

void RenderEvent(const Board& board, std::uint64_t version, std::string& html, std::string& event) {
  html.clear();
  event.clear();
  board.Render(html);
  AppendBoardEvent(html, version, event);
}

}  // namespace rpcbench
