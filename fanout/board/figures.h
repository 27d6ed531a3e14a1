// What a run of the board saw, and what becomes of it: counters and a verdict.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/row.h"
#include "fanout/board/board_options.h"
#include "fanout/board/producers.h"
#include "fanout/board/tick_loop.h"
#include "fanout/board/watchers.h"
#include "fanout/board/writer.h"
#include "fanout/encode/topic.h"
#include "fanout/load/protocol.h"
#include "measure/latency.h"
#include "measure/resources.h"

namespace rpcbench {

// Everything that is counted, at one moment between two ticks.
struct WindowEdge {
  std::chrono::steady_clock::time_point at{};
  ProcessUsage usage;
  MachineUsage machine;
  TopicCounts topic;
  TickCounts ticks;
  WriterCounts writer;
  WatcherCounts watchers;
};

struct BoardFigures {
  WindowEdge begin;
  WindowEdge end;
  LatencySet ticks;          // durations within the window, sorted
  LatencySet due_to_commit;  // sorted
  bool log_overflowed = false;
  std::chrono::duration<double> opened{0};  // until all streams had an event
  std::optional<StreamLoadReport> load;     // of the window, in wire rows

  // When all was over.
  ProducerCounts producers;
  std::int64_t stored_commands = 0;  // the database's total
  bool board_is_stored = false;      // the last event is what a fresh connection reads
  TopicCounts last;
  WatcherCheck check;
};

// The counters of METHOD.md's table.
Counters CountersOf(const BoardCase& board_case, const BoardFigures& figures);

// One sentence a rule that was broken, with the figures; empty for a valid row.
std::vector<std::string> Violations(const BoardCase& board_case, const BoardOptions& options,
                                    const BoardFigures& figures);

}  // namespace rpcbench
