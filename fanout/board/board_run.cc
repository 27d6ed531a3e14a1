#include "fanout/board/board_run.h"

#include <fmt/format.h>

#include <future>

#include "echo/error.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

constexpr auto kEdgeDeadline = std::chrono::seconds(10);  // a tick is due every 50 ms
constexpr double kSpareRoom = 2;                          // in logs, over what is expected

// First of all members, so that every thread starts where it is to run.
const BoardCase& Pinned(const BoardCase& board_case, const BoardOptions& options) {
  const auto& cpus = board_case.wire ? options.server_cpus : options.all_cpus;
  PinTo(cpus);
  return board_case;
}

TopicOptions TopicOf(const BoardCase& board_case, const BoardOptions& options) {
  TopicOptions topic;
  topic.zstd = options.zstd;
  topic.brotli = options.brotli;
  topic.epoch = options.epoch;
  topic.canary = options.canary;
  topic.shared_window = options.shared_window;
  topic.encode_threads = EncodeThreads(board_case, options);
  return topic;
}

std::size_t Room(double expected) {
  return static_cast<std::size_t>(expected * kSpareRoom) + 1024;
}

}  // namespace

BoardRun::BoardRun(const BoardCase& board_case, const BoardOptions& options)
    : board_case_(Pinned(board_case, options)),
      options_(options),
      folder_(options.data),
      store_(StoreOf()),
      board_(options.seed, options.cards, kUsedFrom),
      topic_(TopicOf(board_case, options)),
      ticks_(thread_.loop(), board_, committed_, topic_,
             {.tick = options.tick, .first_version = kUsedVersion}, [this] { watchers_->Kick(); }) {
  Load(store_, board_);
  producers_ = std::make_unique<Producers>(ProducerOptions{.producers = options.producers,
                                                           .rate = options.rate,
                                                           .cards = options.cards,
                                                           .seed = options.seed},
                                           [this](const Command& command, Settle settle) {
                                             writer_->Submit(command, std::move(settle));
                                           });
  writer_ = std::make_unique<Writer>(
      [this](std::span<const Command> commands) { return store_.Apply(commands); }, committed_,
      WriterOptions{.cards = options.cards});
  const WatcherParts parts{board_case_, options_, board_, topic_, thread_};
  watchers_ = board_case.wire ? MakeWireWatchers(parts) : MakeSinkWatchers(parts);
}

BoardRun::~BoardRun() {
  producers_->Stop();
  writer_->Stop();
  try {
    thread_.Do([this] { ticks_.Stop(); });
  } catch (const std::exception&) {
    // The loop ended with an error that has been thrown already: nothing ticks.
  }
  watchers_.reset();
  thread_.Stop();
}

StoreOptions BoardRun::StoreOf() const {
  return {.file = folder_.path() / "board.sqlite",
          .synchronous = board_case_.synchronous,
          .cards = options_.cards};
}

BoardFigures BoardRun::Measure(std::chrono::nanoseconds window) {
  const double seconds = std::chrono::duration<double>(window).count();
  BoardFigures figures;
  thread_.Do([this] { ticks_.Start(); });
  producers_->Start();
  figures.opened = watchers_->Open();
  WarmUp();
  watchers_->Mark();
  figures.begin = EdgeAtNextTick([&](Clock::time_point now) {
    ticks_.LogTicks(Room(seconds / std::chrono::duration<double>(options_.tick).count()));
    producers_->BeginWindow(now, Room(seconds * options_.rate));
  });
  // The last tick of the window is over by then, and the next one is where it ends.
  Wait(figures.begin.at + window - options_.tick / 2);
  figures.end = EdgeAtNextTick([&](Clock::time_point now) {
    producers_->EndWindow(now);
    figures.ticks.Merge(ticks_.durations());
    figures.log_overflowed = ticks_.durations().overflowed();
  });
  figures.load = watchers_->Report();
  Finish();
  Check(figures);
  return figures;
}

// A board that has been up for longer than an epoch has merged all who joined in a row. Waiting for
// that would take 30 s a row; so the epoch ends in the middle of the warm-up instead.
void BoardRun::WarmUp() {
  const auto began = Clock::now();
  Wait(began + options_.warm_up / 2);
  thread_.Do([this] { topic_.Merge(); });
  Wait(began + options_.warm_up);
}

void BoardRun::Wait(Clock::time_point until) {
  wait_.Until(until, [this] {
    thread_.CheckAlive();
    return false;
  });
}

WindowEdge BoardRun::EdgeAtNextTick(const std::function<void(Clock::time_point)>& also) {
  // Shared with the loop, which may come to it after this gave up.
  const auto edge = std::make_shared<std::promise<WindowEdge>>();
  auto taken = edge->get_future();
  thread_.Do([&] {
    ticks_.BeforeNextTick([this, edge, also](Clock::time_point now) {
      also(now);
      edge->set_value({.at = now,
                       .usage = UsageNow(),
                       .machine = MachineUsageNow(),
                       .topic = topic_.counts(),
                       .ticks = ticks_.counts(),
                       .writer = writer_->counts(),
                       .watchers = watchers_->Counts()});
    });
  });
  const auto deadline = Clock::now() + kEdgeDeadline;
  while (taken.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    thread_.CheckAlive();
    if (Clock::now() < deadline) continue;
    thread_.Do([this] { ticks_.BeforeNextTick(nullptr); });  // `also` ends with its caller
    throw Error("the board's loop did not come to its next tick");
  }
  return taken.get();
}

void BoardRun::Finish() {
  producers_->Stop();
  writer_->Stop();
  thread_.Do([this] {
    ticks_.Tick();
    ticks_.Stop();
  });
}

void BoardRun::Check(BoardFigures& figures) {
  figures.producers = producers_->counts();
  figures.due_to_commit.Merge(producers_->due_to_commit());
  figures.log_overflowed |= producers_->due_to_commit().overflowed();
  figures.due_to_commit.Sort();
  figures.ticks.Sort();
  Store fresh(StoreOf());
  figures.stored_commands = fresh.Totals().commands;
  Board stored(options_.seed, options_.cards, kUsedFrom);
  Load(fresh, stored);
  LastEvent last{.version = ticks_.version(), .html = {}};
  std::string event;
  RenderEvent(stored, last.version, last.html, event);
  figures.board_is_stored = event == ticks_.event();
  figures.check = watchers_->Check(last);
  thread_.Do([&] { figures.last = topic_.counts(); });
}

}  // namespace rpcbench
