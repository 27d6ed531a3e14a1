// One client connection: its socket, the call in flight, and the calls that wait behind it. Belongs
// to one event loop and knows nothing of it; runs on the loop's thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "echo/client.h"
#include "frameworks/thrift/wire.h"

namespace rpcbench {

// Owns a file descriptor.
class Descriptor final {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  void Close();

 private:
  int fd_;
};

// A connected, non-blocking socket with TCP_NODELAY. Throws Error, which names the address.
Descriptor DialThrift(const Address& address, std::chrono::nanoseconds timeout);

class ThriftConnection final {
 public:
  // `codec` is shared by the connections of a loop; it and `sink` outlive the connection.
  ThriftConnection(Descriptor socket, ThriftCodec& codec, ReplySink& sink);

  int fd() const { return socket_.get(); }

  // The call waits; the loop runs Pump soon.
  void Enqueue(CallId id, const Record* record) { waiting_.push_back({id, record}); }

  // Sends the next call if none is in flight; on a closed connection fails all that wait.
  void Pump();

  // The socket became readable or writable (edge-triggered), or `hung_up`.
  void OnReady(bool hung_up);

  // Closes, and settles every call as cancelled.
  void Cancel();

 private:
  struct Waiting {
    CallId id;
    const Record* record;
  };

  bool ReadSome(bool hung_up);
  bool TakeFrame();
  void Flush();
  void Close(Outcome outcome);
  void SettleWaiting(Outcome outcome);

  Descriptor socket_;
  ThriftCodec& codec_;
  ReplySink& sink_;
  std::deque<Waiting> waiting_;
  std::optional<CallId> in_flight_;
  std::int32_t sequence_ = 0;  // of the call in flight
  std::vector<std::uint8_t> unsent_;
  std::size_t sent_ = 0;  // of unsent_
  std::vector<std::uint8_t> input_;
  std::size_t received_ = 0;  // of input_
};

}  // namespace rpcbench
