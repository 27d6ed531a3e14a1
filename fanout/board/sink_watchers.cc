#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "echo/error.h"
#include "fanout/board/frame_check.h"
#include "fanout/board/sink.h"
#include "fanout/board/tick_loop.h"
#include "fanout/board/watchers.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

// All at once would put everybody into one cohort, which no real board sees.
constexpr int kJoinsATick = 20;
constexpr int kTicksOfJoins = 20;  // where there are many: no more ticks than this

class SinkWatchers final : public Watchers {
 public:
  explicit SinkWatchers(const WatcherParts& parts)
      : parts_(parts),
        sink_(parts.topic, parts.board_case.codec, parts.board_case.cohort),
        joins_a_tick_(std::max(kJoinsATick, parts.board_case.streams / kTicksOfJoins)) {}

  ~SinkWatchers() override {
    try {
      parts_.thread.Do([this] { sink_.Leave(); });
    } catch (const std::exception&) {
      sink_.Leave();  // a handler's error has ended the loop: nobody else is on that thread
    }
  }

  void Kick() override {
    Remember();
    sink_.TakeAll();
    const int missing = parts_.board_case.streams - static_cast<int>(sink_.streams());
    if (missing > 0) sink_.Join(std::min(missing, joins_a_tick_));
    if (!open_ && sink_.open() == static_cast<std::size_t>(parts_.board_case.streams)) {
      open_ = true;
      wait_.Notify();
    }
  }

  WatcherCounts Counts() const override {
    return {.bytes = sink_.counts().bytes, .events = sink_.counts().events};
  }

  std::chrono::duration<double> Open() override {
    const auto began = TickLoop::Clock::now();
    // As long as the joins take, and a generous while for a machine that is busy.
    const auto deadline =
        began + std::chrono::seconds(30) + 2 * parts_.options.tick * kTicksOfJoins;
    if (!wait_.Until(deadline, [this] { return Alive() && open_; })) {
      throw Error(
          fmt::format("{}: not every stream had an event in time", NameOf(parts_.board_case)));
    }
    return TickLoop::Clock::now() - began;
  }

  void Mark() override {}
  std::optional<StreamLoadReport> Report() override { return std::nullopt; }

  WatcherCheck Check(const LastEvent& last) override {
    WatcherCheck check;
    std::vector<std::string> events;
    parts_.thread.Do([&] {
      events = Events();
      if (!sink_.closed().empty()) {
        check.problems.push_back("a stream was to be closed: " + sink_.closed());
      }
    });
    // What the streams must end with was read from the file; what they took is compared with what
    // was shown. Both have to be the same.
    std::string event;
    AppendBoardEvent(last.html, last.version, event);
    if (events.empty() || events.back() != event) {
      check.problems.emplace_back("the last event is not what the database holds");
    }
    const FrameCheck frames = CheckFrames(sink_.taken(), parts_.board_case.codec, events);
    if (!frames.problem.empty()) check.problems.push_back(frames.problem);
    check.decoded_streams = frames.decoded_streams;
    check.compared_streams = frames.compared_streams;
    return check;
  }

 private:
  bool Alive() {
    parts_.thread.CheckAlive();
    return true;
  }

  // The counts that are being shown: the events are made again from them afterwards, because a
  // copy of each would cost as much as its encoding.
  void Remember() {
    std::vector<std::int64_t> counts;
    counts.reserve(static_cast<std::size_t>(parts_.board.cards()));
    for (int card = 0; card < parts_.board.cards(); ++card) {
      counts.push_back(parts_.board.count(card));
    }
    // A kick without a new event leaves the counts as they were; an event never does.
    if (shown_.empty() || shown_.back() != counts) shown_.push_back(std::move(counts));
  }

  // Every event there was, anew.
  std::vector<std::string> Events() const {
    Board board(parts_.options.seed, parts_.options.cards, kUsedFrom);
    std::vector<std::string> events(shown_.size());
    std::string html;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      for (int card = 0; card < board.cards(); ++card) {
        board.Set(card, shown_[i][static_cast<std::size_t>(card)]);
      }
      RenderEvent(board, kUsedVersion + i, html, events[i]);
    }
    return events;
  }

  const WatcherParts parts_;
  Sink sink_;
  const int joins_a_tick_;
  std::vector<std::vector<std::int64_t>> shown_;  // a line an event
  std::atomic<bool> open_{false};
  SignalWait wait_;
};

}  // namespace

std::unique_ptr<Watchers> MakeSinkWatchers(const WatcherParts& parts) {
  return std::make_unique<SinkWatchers>(parts);
}

}  // namespace rpcbench
