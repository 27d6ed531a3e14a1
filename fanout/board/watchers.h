// The streams of a run, wherever they are: in this process or behind a socket.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fanout/board/board.h"
#include "fanout/board/board_options.h"
#include "fanout/board/loop_thread.h"
#include "fanout/encode/topic.h"
#include "fanout/load/protocol.h"

namespace rpcbench {

// Since the start.
struct WatcherCounts {
  std::uint64_t bytes = 0;                // to all streams: bodies in a sink, the whole on a wire
  std::optional<std::uint64_t> events;    // taken, where the streams are in this process
  std::chrono::nanoseconds write_cpu{0};  // the loop's thread, in writing to sockets
  bool has_write_cpu = false;             // a sink's writing is what the kick is without encoding
};

// What was found when all was over.
struct WatcherCheck {
  std::size_t decoded_streams = 0;
  std::size_t compared_streams = 0;  // byte for byte with what was decoded once
  std::vector<std::string> problems;
};

// The state that every stream has to end with.
struct LastEvent {
  std::uint64_t version = 0;
  std::string html;
};

class Watchers {
 public:
  // Before the topic; the loop still runs.
  virtual ~Watchers() = default;

  // After each event. Loop thread.
  virtual void Kick() = 0;
  // Loop thread.
  virtual WatcherCounts Counts() const = 0;

  // Until each stream has had its first event; the seconds that took. Main thread, as all below.
  // Throws Error.
  virtual std::chrono::duration<double> Open() = 0;
  // Around the window.
  virtual void Mark() = 0;
  // What the process on the other side saw since Mark, if there is one.
  virtual std::optional<StreamLoadReport> Report() = 0;
  // After the last event, once no tick will come any more.
  virtual WatcherCheck Check(const LastEvent& last) = 0;
};

// What both kinds have to do with. All outlive the watchers.
struct WatcherParts {
  const BoardCase& board_case;
  const BoardOptions& options;
  const Board& board;  // loop thread
  Topic& topic;        // loop thread
  LoopThread& thread;
};

// Streams that join some at each tick, take every chunk at once and are decoded after the window.
std::unique_ptr<Watchers> MakeSinkWatchers(const WatcherParts& parts);

// Streams over loopback to a process of their own, sse_load. Throws Error.
std::unique_ptr<Watchers> MakeWireWatchers(const WatcherParts& parts);

}  // namespace rpcbench
