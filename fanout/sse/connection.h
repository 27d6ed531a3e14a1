// One connection while it is no stream: reads a request, has it answered, and so on until it is
// closed or becomes a stream.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fanout/sse/peer_socket.h"
#include "fanout/sse/request.h"
#include "fanout/sse/response.h"
#include "fanout/sse/server.h"

namespace rpcbench {

class ConnectionSet;

// Loop thread. One request at a time: what is pipelined behind it waits in the kernel, but for what
// came in the same read.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;

  Connection(PeerSocket socket, ConnectionSet& set);

  void Start();
  // No request is in hand or on its way.
  bool idle() const { return state_ == State::kReading && !reader_.started(); }
  Clock::time_point deadline() const { return deadline_; }

  // Closes, with RST or not, and leaves the set. May be repeated.
  void Leave(bool abort);

 private:
  friend class ConnectionSet;

  enum class State { kReading, kHandling, kWriting, kLingering };

  void Advance();
  // Each does what it can now; true if the state changed, so that Advance goes on.
  bool Read();
  bool Write();
  bool Linger();
  bool Parse(std::string_view bytes);

  void Dispatch();
  void OpenStream(StreamOffer offer);
  void Handle();
  void Answer(std::uint64_t turn, const HttpResponse& response);
  void Refuse(const HttpRefusal& refusal);
  void Respond(std::string bytes, bool keep);
  void WhenReady(PeerSocket::Wait wait);

  ConnectionSet& set_;
  PeerSocket socket_;
  State state_ = State::kReading;
  RequestReader reader_;
  std::string input_;  // of the next request
  std::string out_;
  std::size_t written_ = 0;
  std::uint64_t turn_ = 0;  // requests so far: an answer that comes twice is told by it
  bool continued_ = false;
  bool keep_ = false;
  bool closed_ = false;
  std::size_t index_ = 0;  // in the set
  Clock::time_point deadline_;
};

}  // namespace rpcbench
