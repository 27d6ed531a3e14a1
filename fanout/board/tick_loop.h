// The board's heart: what was committed since the last tick becomes one event for every stream.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/board/board.h"
#include "fanout/board/committed.h"
#include "fanout/encode/topic.h"
#include "measure/latency.h"

namespace rpcbench {

inline constexpr std::string_view kBoardEvent = "board";  // the event's name

struct TickOptions {
  std::chrono::nanoseconds tick = std::chrono::milliseconds(50);
  std::uint64_t first_version = 1;  // the first event's id; each later one's is one more
};

struct TickCounts {
  std::uint64_t ticks = 0;     // that had something to show; clean ones are not in it
  std::uint64_t clean = 0;     // skipped: nothing was committed since the last one
  std::uint64_t renders = 0;   // of the board, for ticks
  std::uint64_t late = 0;      // began more than a tenth of a tick after they were due, or never
  std::uint64_t commands = 0;  // shown
  std::chrono::nanoseconds render_cpu{0};   // of this thread: the board and its event
  std::chrono::nanoseconds publish_cpu{0};  // the topic's and the kick: encoding and writing
};

// One thread, that of `loop`. Ticks are due on an absolute schedule.
class TickLoop final {
 public:
  using Clock = std::chrono::steady_clock;

  // `kick` lets the streams pull: it comes after each event was published, and when the topic has
  // something for streams that had to wait. All outlive the loop of ticks.
  TickLoop(boost::asio::io_context& loop, Board& board, Committed& committed, Topic& topic,
           const TickOptions& options, std::function<void()> kick);
  ~TickLoop();

  // Publishes the board as it is, so that streams have something to open with, then ticks.
  void Start();
  void Stop();

  // One tick, now: false if it was clean.
  bool Tick();

  // Once, at the moment the next tick is due and before it does anything: to take figures that
  // stand between two ticks.
  void BeforeNextTick(std::function<void(Clock::time_point now)> look) { look_ = std::move(look); }

  // Room for the durations of so many ticks; forgets those there are.
  void LogTicks(std::size_t capacity) { durations_.Reset(capacity); }
  // Of each tick that had something to show, from its begin until the kick returned.
  const LatencyLog& durations() const { return durations_; }

  const TickCounts& counts() const { return counts_; }
  std::uint64_t version() const { return version_; }  // of the newest event
  std::string_view event() const { return event_; }   // the newest, as published

 private:
  void Arm();
  void OnDue();
  void Publish();

  Board& board_;
  Committed& committed_;
  Topic& topic_;
  const TickOptions options_;
  const std::function<void()> kick_;
  boost::asio::steady_timer timer_;
  Clock::time_point due_{};
  bool running_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // for waits that outlive this
  std::function<void(Clock::time_point)> look_;
  std::vector<Command> taken_;
  std::uint64_t version_;
  std::string html_;
  std::string event_;
  LatencyLog durations_;
  TickCounts counts_;
};

// Appends the event that shows a board in the stream's format.
void AppendBoardEvent(std::string_view html, std::uint64_t version, std::string& event);

// A rendering and its event, each in place of what the string held.
void RenderEvent(const Board& board, std::uint64_t version, std::string& html, std::string& event);

}  // namespace rpcbench
