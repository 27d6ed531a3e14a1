// The client of both gRPC rows: a channel a connection, and completion queues that the connections
// share, each with one polling thread.
//
// A call's state sits at its slot, made at the slot's first use. Its one message is the request
// until gRPC has serialized it, which is before AsyncEcho returns, and then takes the reply; kept
// over calls, it allocates no text once it has grown. An arena would allocate the text each time.
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "echo/error.h"
#include "echo/schema/echo.grpc.pb.h"
#include "frameworks/codec/protobuf_codec.h"
#include "frameworks/grpc/rows.h"

namespace rpcbench {
namespace {

class Client;

struct CallState {
  CallId id = 0;
  // Stored last before the call starts and loaded first when it ends, which orders all the rest for
  // a reader, and a race checker, that does not know what gRPC does in between.
  std::atomic<Client*> client = nullptr;
  CallState* previous = nullptr;  // the client's calls in flight
  CallState* next = nullptr;
  std::optional<grpc::ClientContext> context;  // cannot be used twice
  std::unique_ptr<grpc::ClientAsyncResponseReader<proto::Record>> reader;
  grpc::Status status;
  proto::Record message;
};

Outcome OutcomeOf(const grpc::Status& status) {
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
      return Outcome::kOk;
    case grpc::StatusCode::CANCELLED:
      return Outcome::kCancelled;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return Outcome::kTimedOut;
    default:
      return Outcome::kFailed;
  }
}

// One completion queue and the thread that polls it.
class Poller final {
 public:
  Poller() : thread_([this] { Run(); }) {}

  // Every call must have settled.
  ~Poller() {
    queue_.Shutdown();
    thread_.join();
  }

  grpc::CompletionQueue& queue() { return queue_; }

 private:
  void Run();

  grpc::CompletionQueue queue_;
  proto::Record reply_;
  std::thread thread_;  // last: everything above exists when it starts
};

// What the clients of one connect share.
struct Group {
  Group(ReplySink& sink_in, std::uint32_t call_limit, int pollers_wanted)
      : sink(sink_in), calls(call_limit), pollers(static_cast<std::size_t>(pollers_wanted)) {}

  ReplySink& sink;
  std::vector<std::unique_ptr<CallState>> calls;  // by slot
  std::vector<Poller> pollers;
};

class Client final : public EchoClient {
 public:
  Client(std::shared_ptr<Group> group, Poller& poller, std::shared_ptr<grpc::Channel> channel)
      : group_(std::move(group)), poller_(poller), stub_(channel) {}

  ~Client() override {
    std::unique_lock lock(mutex_);
    closing_ = true;
    for (CallState* call = first_; call != nullptr; call = call->next) call->context->TryCancel();
    // gRPC ends a cancelled call without its peer's help. Should it not, going on would leave it
    // with a freed client.
    if (!settled_.wait_for(lock, std::chrono::seconds(60), [this] { return unsettled_ == 0; })) {
      std::terminate();
    }
  }

  void Call(CallId id, const Record& record) override {
    auto& slot = group_->calls[SlotOf(id)];
    if (slot == nullptr) slot = std::make_unique<CallState>();
    CallState& call = *slot;
    call.id = id;
    call.context.emplace();
    ToProto(record, call.message);
    if (!Add(call)) {
      group_->sink.OnReply(id, Outcome::kCancelled, {});
      return;
    }
    call.reader = stub_.AsyncEcho(&*call.context, call.message, &poller_.queue());
    auto& reader = *call.reader;
    call.client.store(this, std::memory_order_release);
    reader.Finish(&call.message, &call.status, &call);
  }

  // The poller's thread. `reply` takes the message, because its slot may be used again from inside
  // OnReply.
  void Settle(CallState& call, proto::Record& reply) {
    Remove(call);
    const CallId id = call.id;
    const Outcome outcome = OutcomeOf(call.status);
    reply.Swap(&call.message);
    call.reader.reset();
    call.context.reset();
    group_->sink.OnReply(id, outcome, outcome == Outcome::kOk ? FromProto(reply) : RecordView());
    const std::lock_guard lock(mutex_);
    if (--unsettled_ == 0 && closing_) settled_.notify_all();
  }

 private:
  // Before the call starts, so that it cannot end unknown. False if the client is being destroyed.
  bool Add(CallState& call) {
    const std::lock_guard lock(mutex_);
    if (closing_) return false;
    call.previous = nullptr;
    call.next = first_;
    if (first_ != nullptr) first_->previous = &call;
    first_ = &call;
    ++unsettled_;
    return true;
  }

  void Remove(CallState& call) {
    const std::lock_guard lock(mutex_);
    (call.previous != nullptr ? call.previous->next : first_) = call.next;
    if (call.next != nullptr) call.next->previous = call.previous;
  }

  const std::shared_ptr<Group> group_;
  Poller& poller_;
  Echo::Stub stub_;
  std::mutex mutex_;
  std::condition_variable settled_;
  CallState* first_ = nullptr;
  std::size_t unsettled_ = 0;  // includes those inside OnReply
  bool closing_ = false;
};

void Poller::Run() {
  void* tag = nullptr;
  bool ok = false;
  while (queue_.Next(&tag, &ok)) {
    CallState& call = *static_cast<CallState*>(tag);
    call.client.load(std::memory_order_acquire)->Settle(call, reply_);
  }
}

grpc::ChannelArguments Arguments() {
  grpc::ChannelArguments arguments;
  // Channels to one target share a connection otherwise.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // A proxy of the environment is not what is measured.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return arguments;
}

}  // namespace

EchoClients ConnectGrpc(const Address& address, const ClientOptions& options, ReplySink& sink) {
  const auto deadline = std::chrono::system_clock::now() +
                        std::chrono::ceil<std::chrono::milliseconds>(options.connect_timeout);
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (int i = 0; i < options.connections; ++i) {
    channels.push_back(grpc::CreateCustomChannel(ToString(address),
                                                 grpc::InsecureChannelCredentials(), Arguments()));
    channels.back()->GetState(/*try_to_connect=*/true);
  }
  for (const auto& channel : channels) {
    if (!channel->WaitForConnected(deadline)) {
      throw Error("gRPC: no connection to " + ToString(address) + " within " +
                  std::to_string(options.connect_timeout / std::chrono::milliseconds(1)) +
                  " ms; does a server listen there?");
    }
  }
  const auto group = std::make_shared<Group>(sink, options.call_limit,
                                             std::min(options.threads, options.connections));
  EchoClients clients;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Poller& poller = group->pollers[i % group->pollers.size()];
    clients.push_back(std::make_unique<Client>(group, poller, std::move(channels[i])));
  }
  return clients;
}

}  // namespace rpcbench
