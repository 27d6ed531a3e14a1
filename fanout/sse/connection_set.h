// The connections of a server that are no streams, and what they need of it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "fanout/sse/connection.h"
#include "fanout/sse/server.h"
#include "fanout/sse/stream_set.h"

namespace rpcbench {

// The one server behind all connections; all of it outlives them.
struct Serving {
  boost::asio::io_context& loop;
  const SseServerOptions& options;
  std::size_t max_streams;
  Site& site;
  StreamSet& streams;
  SseServerCounts& counts;
};

// Loop thread.
class ConnectionSet final {
 public:
  explicit ConnectionSet(const Serving& serving) : serving_(serving) {}

  std::size_t size() const { return connections_.size(); }

  void Open(PeerSocket socket);
  void Sweep(Connection::Clock::time_point now);
  // Closes those that are idle, now and from now on.
  void Drain();
  void CloseAll();
  // Called whenever the last connection was closed.
  void OnEmpty(std::function<void()> empty) { empty_ = std::move(empty); }

 private:
  friend class Connection;

  void Remove(Connection& connection);

  const Serving serving_;
  bool draining_ = false;
  std::array<char, 16 << 10> input_;                      // of whichever connection reads
  std::vector<std::shared_ptr<Connection>> connections_;  // each knows its index
  std::function<void()> empty_;
};

}  // namespace rpcbench
