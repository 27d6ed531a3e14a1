// One run of the shared board: everything set up, warmed up, measured, checked and taken down.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "fanout/board/board.h"
#include "fanout/board/board_options.h"
#include "fanout/board/committed.h"
#include "fanout/board/figures.h"
#include "fanout/board/loop_thread.h"
#include "fanout/board/producers.h"
#include "fanout/board/store.h"
#include "fanout/board/temporary_folder.h"
#include "fanout/board/tick_loop.h"
#include "fanout/board/watchers.h"
#include "fanout/board/writer.h"
#include "fanout/encode/topic.h"
#include "process/signal_wait.h"

namespace rpcbench {

// Threads: one that ticks, encodes and writes, one that commits, one that produces commands, and
// the caller's, which waits. Throws Error. What is passed outlives it.
class BoardRun final {
 public:
  // Pins this process first, as the options say for the case.
  BoardRun(const BoardCase& board_case, const BoardOptions& options);
  ~BoardRun();
  BoardRun(const BoardRun&) = delete;
  BoardRun& operator=(const BoardRun&) = delete;

  // Once.
  BoardFigures Measure(std::chrono::nanoseconds window);

 private:
  using Clock = std::chrono::steady_clock;

  StoreOptions StoreOf() const;
  void WarmUp();
  void Wait(Clock::time_point until);
  // As of the next tick; `also` runs at the same moment on the loop's thread.
  WindowEdge EdgeAtNextTick(const std::function<void(Clock::time_point)>& also);
  // No more commands; what was committed is shown.
  void Finish();
  void Check(BoardFigures& figures);

  const BoardCase& board_case_;
  const BoardOptions& options_;
  const TemporaryFolder folder_;
  Store store_;
  Board board_;
  Committed committed_;
  std::unique_ptr<Producers> producers_;  // before the writer, whose commands settle with it
  std::unique_ptr<Writer> writer_;
  LoopThread thread_;
  Topic topic_;
  TickLoop ticks_;
  std::unique_ptr<Watchers> watchers_;
  SignalWait wait_;
};

}  // namespace rpcbench
