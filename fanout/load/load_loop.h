// All streams of a load on one thread: connects them at a pace, keeps them, counts.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "fanout/load/load_stream.h"
#include "fanout/load/protocol.h"
#include "measure/resources.h"

namespace rpcbench {

class LoadLoop final {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws Error if the address is none, the coding is not zstd, br or identity, or there are too
  // few descriptors for the streams.
  explicit LoadLoop(const StreamLoadOptions& options);
  ~LoadLoop();
  LoadLoop(const LoadLoop&) = delete;
  LoadLoop& operator=(const LoadLoop&) = delete;

  // Wakes Poll too when there is something to read. False if the kernel cannot watch it: a file.
  bool Watch(int fd);
  // Connects what is due and handles what is ready; waits for it at most this long. Throws Error.
  void Poll(std::chrono::milliseconds at_most);

  // Closes all streams from this side; they connect again at their pace, without a pause.
  void CutAll();

  void Mark();
  StreamLoadReport Report() const;

  std::size_t streams() const { return streams_.size(); }
  std::size_t open() const { return open_; }
  // Streams that have not had the event with this id or a newer one.
  std::size_t Behind(const SeenId& id) const;
  // Streams that were not connected anew, and opened, since the mark.
  std::size_t NotReconnected() const;
  // When a stream was first lost since the mark; the epoch if none was.
  Clock::time_point first_lost() const { return first_lost_; }
  const std::string& last_problem() const { return host_.problem; }

 private:
  struct Since {  // a stream at the mark
    std::uint64_t events = 0;
    std::uint64_t connections = 0;
  };
  using Due = std::pair<Clock::time_point, std::size_t>;

  void ConnectDue(Clock::time_point now);
  void Handle(LoadStream& stream);
  void Schedule(std::size_t number, Clock::time_point when) { waiting_.push({when, number}); }
  int Timeout(std::chrono::milliseconds at_most) const;
  void AddState(StreamLoadReport& report) const;

  StreamHost host_;
  std::vector<std::unique_ptr<LoadStream>> streams_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> waiting_;  // to connect
  Clock::time_point next_connect_;  // not before, at the pace of --connect-rate
  std::size_t connecting_ = 0;      // not answered yet
  std::size_t open_ = 0;
  Clock::time_point marked_at_;
  ProcessUsage marked_usage_;
  std::vector<Since> marked_;
  std::uint64_t marked_branches_ = 0;
  Clock::time_point first_lost_{};
};

}  // namespace rpcbench
