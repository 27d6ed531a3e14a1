// The completion-queue server of the main gRPC row: one queue and one polling thread a loop.
//
// A call is asked for ahead of its arrival, held (in the delay line or by an Alarm), finished, and
// its object asked for again. Objects and their messages are kept; gRPC's contexts cannot be used
// twice and are made anew in place. The reply is the request's message: kept over calls it
// allocates no text once it has grown, where an arena would allocate it each time.
#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>

#include "echo/delay_line.h"
#include "echo/schema/echo.grpc.pb.h"
#include "frameworks/grpc/rows.h"
#include "frameworks/grpc/server_setup.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kAskedAhead = 1024;  // calls, over all queues; more cost cache misses
constexpr auto kRounding = std::chrono::milliseconds(1);
constexpr auto kNap = std::chrono::microseconds(200);

struct Call {
  enum class State { kAsked, kHeld, kFinishing };

  State state = State::kAsked;
  proto::Record message;
  std::optional<grpc::ServerContext> context;
  std::optional<grpc::ServerAsyncResponseWriter<proto::Record>> writer;
  std::optional<grpc::Alarm> alarm;  // DelaySource::kNative
  Clock::time_point taken;
};

// One thread. Everything but Start and Stop runs on it.
class Loop final {
 public:
  Loop(const ServerOptions& options, HoldMeter& meter, Echo::AsyncService& service,
       std::unique_ptr<grpc::ServerCompletionQueue> queue)
      : options_(options),
        meter_(meter),
        service_(service),
        queue_(std::move(queue)),
        line_(options, meter) {}

  // The server runs.
  void Start(std::size_t ask_ahead) {
    thread_ = std::thread([this, ask_ahead] {
      for (std::size_t i = 0; i < ask_ahead; ++i) Ask();
      Run();
    });
  }

  // The server has shut down. The queue is shut down by its own thread, the only one that starts
  // operations on it, so that none is started too late.
  void Stop() {
    if (thread_.joinable()) {
      stop_.Set(queue_.get(), gpr_inf_past(GPR_CLOCK_MONOTONIC), nullptr);
      thread_.join();
    } else {
      queue_->Shutdown();
      Drain();
    }
  }

 private:
  void Run() {
    void* tag = nullptr;
    bool ok = false;
    for (;;) {
      const auto status = Next(tag, ok);
      if (status == grpc::CompletionQueue::GOT_EVENT) {
        if (tag == nullptr) break;
        OnEvent(*static_cast<Call*>(tag), ok);
      }
      line_.ReleaseDue([this](Call* call) { Finish(*call); });
    }
    Close();
  }

  // gRPC rounds a deadline and the present to milliseconds, and so wakes up to 2 ms late. Asked to
  // wake 1 ms early it is at most 1 ms late, and where it is early the rest passes in naps that are
  // short enough not to keep a request waiting. Under load there is always an event and no nap.
  grpc::CompletionQueue::NextStatus Next(void*& tag, bool& ok) {
    const auto due = line_.NextDue();
    if (!due) return queue_->AsyncNext(&tag, &ok, gpr_inf_future(GPR_CLOCK_MONOTONIC));
    const auto status = queue_->AsyncNext(&tag, &ok, ToGrpcTime(*due - kRounding));
    if (status == grpc::CompletionQueue::TIMEOUT) {
      std::this_thread::sleep_for(std::min<Clock::duration>(*due - Clock::now(), kNap));
    }
    return status;
  }

  void OnEvent(Call& call, bool ok) {
    switch (call.state) {
      case Call::State::kAsked:
        if (!ok) return Free(call);  // the server is shutting down
        Hold(call);
        return Ask();
      case Call::State::kHeld:
        if (!ok) return meter_.Drop();
        meter_.Leave(Clock::now() - call.taken);
        return Finish(call);
      case Call::State::kFinishing:
        return Free(call);
    }
  }

  void Ask() {
    Call* call = nullptr;
    if (free_.empty()) {
      call = &calls_.emplace_back();
    } else {
      call = free_.back();
      free_.pop_back();
    }
    call->state = Call::State::kAsked;
    call->context.emplace();
    call->writer.emplace(&*call->context);
    service_.RequestEcho(&*call->context, &call->message, &*call->writer, queue_.get(),
                         queue_.get(), call);
  }

  void Hold(Call& call) {
    call.state = Call::State::kHeld;
    call.taken = Clock::now();
    const bool flag = call.message.flag();
    if (options_.delay_source == DelaySource::kLine) return line_.Push(&call, flag, call.taken);
    meter_.Enter();
    call.alarm.emplace();
    call.alarm->Set(queue_.get(), ToGrpcTime(call.taken + options_.DelayFor(flag)), &call);
  }

  void Finish(Call& call) {
    call.state = Call::State::kFinishing;
    call.writer->Finish(call.message, grpc::Status::OK, &call);
  }

  void Free(Call& call) {
    call.writer.reset();
    call.context.reset();
    free_.push_back(&call);
  }

  // Drops what is held and empties the queue.
  void Close() {
    line_.Clear();
    for (Call& call : calls_) {
      if (call.alarm) call.alarm->Cancel();
    }
    queue_->Shutdown();
    Drain();
  }

  void Drain() {
    void* tag = nullptr;
    bool ok = false;
    while (queue_->Next(&tag, &ok)) {
      const bool alarm = tag != nullptr && static_cast<Call*>(tag)->state == Call::State::kHeld;
      if (alarm) meter_.Drop();
    }
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  Echo::AsyncService& service_;
  const std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  DelayLine<Call*> line_;
  std::deque<Call> calls_;
  std::vector<Call*> free_;
  grpc::Alarm stop_;
  std::thread thread_;
};

class Server final : public EchoServer {
 public:
  Server(const ServerOptions& options, HoldMeter& meter) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    for (int i = 0; i < options.threads; ++i) {
      loops_.emplace_back(options, meter, service_, builder.AddCompletionQueue());
    }
    try {
      listener_ = ListenGrpc(builder, options.listen);
    } catch (...) {
      for (Loop& loop : loops_) loop.Stop();
      throw;
    }
    for (Loop& loop : loops_) loop.Start(kAskedAhead / loops_.size());
  }

  ~Server() override { Stop(); }

  Address address() const override { return listener_.address; }

  void Stop() override {
    if (listener_.server == nullptr) return;
    listener_.server->Shutdown(gpr_inf_past(GPR_CLOCK_MONOTONIC));
    for (Loop& loop : loops_) loop.Stop();
    listener_.server.reset();
  }

 private:
  Echo::AsyncService service_;
  std::deque<Loop> loops_;
  GrpcListener listener_;
};

}  // namespace

std::unique_ptr<EchoServer> StartGrpcQueueServer(const ServerOptions& options, HoldMeter& meter) {
  return std::make_unique<Server>(options, meter);
}

}  // namespace rpcbench
