// All open streams of a server: writes to many in turn, looks at their deadlines, ends them.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "fanout/sse/server.h"
#include "fanout/sse/stream.h"

namespace rpcbench {

// Loop thread.
class StreamSet final {
 public:
  StreamSet(const SseServerOptions& options, SseServerCounts& counts);

  std::size_t size() const { return streams_.size(); }

  // Sends the header and what the source has by now.
  void Open(PeerSocket socket, StreamOffer offer, bool chunked);

  void Kick(StreamGroup& group) { Pump(group.streams_); }
  void PumpOne(Stream& stream);
  // No-op for a stream that is closed.
  void Close(Stream& stream, Ending why);

  // Heartbeats and deadlines, as of `now`.
  void Sweep(Stream::Clock::time_point now);
  // Ends each stream with a `retry` of its own.
  void Drain(std::chrono::milliseconds spread);
  void CloseAll(Ending why);
  // Called whenever the last stream was closed.
  void OnEmpty(std::function<void()> empty) { empty_ = std::move(empty); }

 private:
  void Pump(std::span<Stream* const> streams);
  // Pulls; puts those that have something to write into `ready`, which may be `streams` itself.
  std::size_t Collect(std::span<Stream* const> streams, Stream** ready);
  void CloseDoomed();
  void Remove(Stream& stream);

  friend class StreamGroup;
  static void Leave(Stream& stream);  // its group

  const SseServerOptions& options_;
  SseServerCounts& counts_;
  std::vector<std::shared_ptr<Stream>> streams_;  // each knows its index
  std::vector<Stream*> doomed_;  // over, and closed once nothing goes through the streams any more
  std::vector<Stream*> due_;     // Sweep's, kept for its room
  std::function<void()> empty_;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace rpcbench
