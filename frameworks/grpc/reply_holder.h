// How the callback row holds a request back. For callback_server.cc only.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <utility>

#include "echo/hold_meter.h"
#include "echo/server.h"

namespace rpcbench {

// The right to answer one call, once: with OK by Send, or with UNAVAILABLE where it is dropped, so
// that a call cannot be lost. gRPC waits for every call at shutdown.
class PendingReply final {
 public:
  explicit PendingReply(grpc::ServerUnaryReactor* reactor) : reactor_(reactor) {}
  PendingReply(PendingReply&& other) noexcept : reactor_(std::exchange(other.reactor_, nullptr)) {}
  PendingReply& operator=(PendingReply&&) = delete;
  ~PendingReply() {
    if (reactor_ == nullptr) return;
    reactor_->Finish(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server stops"));
  }

  void Send() && { std::exchange(reactor_, nullptr)->Finish(grpc::Status::OK); }

 private:
  grpc::ServerUnaryReactor* reactor_;
};

class ReplyHolder {
 public:
  virtual ~ReplyHolder() = default;

  // Any thread. Sends `reply` once its delay is over; drops it if closed.
  virtual void Hold(PendingReply reply, bool flag) = 0;

  // Drops what is held and what comes after, all before the server's shutdown returns.
  virtual void Close() = 0;
};

// The one that options.delay_source asks for. `meter` outlives it.
std::unique_ptr<ReplyHolder> MakeReplyHolder(const ServerOptions& options, HoldMeter& meter);

}  // namespace rpcbench
