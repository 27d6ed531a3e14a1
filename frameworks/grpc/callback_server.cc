// The callback server of the second gRPC row. Its threads are gRPC's: clamp(cores / 2, 2, 16) of
// them, whatever ServerOptions::threads says.
//
// Request and reply are one message from a pool, so that the echo copies nothing and allocates no
// text once the messages have grown: the same terms as the main row's. The default reactor sits in
// the call's own memory, where one of ours would be allocated.
#include <grpcpp/grpcpp.h>

#include <deque>
#include <mutex>
#include <vector>

#include "echo/schema/echo.grpc.pb.h"
#include "frameworks/grpc/reply_holder.h"
#include "frameworks/grpc/rows.h"
#include "frameworks/grpc/server_setup.h"

namespace rpcbench {
namespace {

class MessagePool final : public grpc::MessageAllocator<proto::Record, proto::Record> {
 public:
  grpc::MessageHolder<proto::Record, proto::Record>* AllocateMessages() override {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return &holders_.emplace_back(*this);
    Holder* holder = free_.back();
    free_.pop_back();
    return holder;
  }

 private:
  class Holder final : public grpc::MessageHolder<proto::Record, proto::Record> {
   public:
    explicit Holder(MessagePool& pool) : pool_(pool) {
      set_request(&message_);
      set_response(&message_);
    }

    void Release() override {
      const std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(this);
    }

   private:
    MessagePool& pool_;
    proto::Record message_;
  };

  std::mutex mutex_;
  std::deque<Holder> holders_;
  std::vector<Holder*> free_;
};

class Service final : public Echo::CallbackService {
 public:
  explicit Service(ReplyHolder& holder) : holder_(holder) { SetMessageAllocatorFor_Echo(&pool_); }

  grpc::ServerUnaryReactor* Echo(grpc::CallbackServerContext* context, const proto::Record* request,
                                 proto::Record* /*response*/) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    holder_.Hold(PendingReply(reactor), request->flag());
    return reactor;
  }

 private:
  ReplyHolder& holder_;
  MessagePool pool_;
};

class Server final : public EchoServer {
 public:
  Server(const ServerOptions& options, HoldMeter& meter)
      : holder_(MakeReplyHolder(options, meter)), service_(*holder_) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    listener_ = ListenGrpc(builder, options.listen);
  }

  ~Server() override { Stop(); }

  Address address() const override { return listener_.address; }

  void Stop() override {
    if (listener_.server == nullptr) return;
    holder_->Close();
    listener_.server->Shutdown(gpr_inf_past(GPR_CLOCK_MONOTONIC));
    listener_.server.reset();
  }

 private:
  const std::unique_ptr<ReplyHolder> holder_;
  Service service_;
  GrpcListener listener_;
};

}  // namespace

std::unique_ptr<EchoServer> StartGrpcCallbackServer(const ServerOptions& options,
                                                    HoldMeter& meter) {
  return std::make_unique<Server>(options, meter);
}

}  // namespace rpcbench
