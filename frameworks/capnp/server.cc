// See server.h. Knows nothing of how messages are batched.
#include "frameworks/capnp/server.h"

#include <fcntl.h>
#include <kj/time.h>
#include <kj/timer.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "echo/delay_line.h"
#include "echo/error.h"
#include "frameworks/capnp/kj_loop.h"

namespace rpcbench {
namespace {

using Clock = std::chrono::steady_clock;
using EchoContext =
    capnp::CallContext<capnp_schema::Echo::EchoParams, capnp_schema::Echo::EchoResults>;

// In kj's time, counted from now: Timer::now() stands still while the loop is busy.
kj::TimePoint After(std::chrono::nanoseconds left) {
  return kj::systemPreciseMonotonicClock().now() + left.count() * kj::NANOSECONDS;
}

// Copies the record; the parameters are not needed after it.
void Reply(EchoContext& context) {
  const auto record = context.getParams().getRecord();
  context.initResults(EchoSize(record.getText().size())).setRecord(record);
  context.releaseParams();
}

// A request in the native timer's hands: counted as dropped unless it left.
class NativeHold final {
 public:
  explicit NativeHold(HoldMeter& meter) : meter_(&meter), taken_(Clock::now()) { meter.Enter(); }
  NativeHold(NativeHold&& other) noexcept
      : meter_(std::exchange(other.meter_, nullptr)), taken_(other.taken_) {}
  NativeHold& operator=(NativeHold&&) = delete;
  ~NativeHold() {
    if (meter_) meter_->Drop();
  }

  void Leave() { std::exchange(meter_, nullptr)->Leave(Clock::now() - taken_); }

 private:
  HoldMeter* meter_;
  Clock::time_point taken_;
};

// The generated server class has no virtual destructor; kj::Own deletes by the type that was made.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

// The handler of one loop: holds each call and replies.
class Handler final : public capnp_schema::Echo::Server {
 public:
  Handler(const ServerOptions& options, HoldMeter& meter, kj::Timer& timer)
      : options_(options), meter_(meter), timer_(timer), line_(options, meter) {}
  ~Handler() noexcept(false) { line_.Clear(); }

  kj::Promise<void> echo(EchoContext context) override {
    const bool flag = context.getParams().getRecord().getFlag();
    // The call is gone with its connection, and not when its time is up.
    context.allowCancellation();
    if (options_.delay_source == DelaySource::kNative) {
      NativeHold hold(meter_);
      return timer_.atTime(After(options_.DelayFor(flag)))
          .then([hold = kj::mv(hold), context]() mutable {
            hold.Leave();
            Reply(context);
          });
    }
    auto paf = kj::newPromiseAndFulfiller<void>();
    line_.Push({kj::mv(paf.fulfiller), context}, flag);
    ReleaseAndArm();
    return kj::mv(paf.promise);
  }

 private:
  struct Held {
    kj::Own<kj::PromiseFulfiller<void>> done;
    EchoContext context;  // valid as long as somebody waits for `done`
  };

  // Called where the timer may be armed anew: not from inside its own continuation.
  void ReleaseAndArm() {
    for (auto due = line_.NextDue(); due && !(armed_ && *armed_ <= *due); due = line_.NextDue()) {
      if (*due > Clock::now()) {
        armed_ = due;
        wait_ = Wait().eagerlyEvaluate(nullptr);
        return;
      }
      Release();
    }
  }

  kj::Promise<void> Wait() {
    return timer_.atTime(After(*armed_ - Clock::now())).then([this]() -> kj::Promise<void> {
      Release();
      armed_ = line_.NextDue();
      if (!armed_) return kj::READY_NOW;
      return Wait();
    });
  }

  void Release() {
    line_.ReleaseDue([](Held held) {
      if (!held.done->isWaiting()) return;
      KJ_IF_MAYBE (error, kj::runCatchingExceptions([&] { Reply(held.context); })) {
        held.done->reject(kj::mv(*error));
      } else {
        held.done->fulfill();
      }
    });
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  kj::Timer& timer_;
  DelayLine<Held> line_;
  std::optional<Clock::time_point> armed_;  // when the timer fires
  kj::Promise<void> wait_ = nullptr;
};

#pragma GCC diagnostic pop

// All that belongs to one loop, made and destroyed on its thread.
class Connections final : private kj::TaskSet::ErrorHandler {
 public:
  Connections(CapnpWrites writes, const ServerOptions& options, HoldMeter& meter,
              kj::AsyncIoContext& io)
      : writes_(writes),
        io_(io),
        handler_(kj::heap<Handler>(options, meter, io.provider->getTimer())),
        links_(*this) {}

  void Add(kj::Own<kj::AsyncIoStream> stream) {
    auto link = kj::heap<CapnpLink>(kj::mv(stream), writes_, handler_);
    auto closed = link->OnClose();
    links_.add(closed.attach(kj::mv(link)));
  }

  void AddFd(int fd) {
    Add(io_.lowLevelProvider->wrapSocketFd(kj::AutoCloseFd(fd),
                                           kj::LowLevelAsyncIoProvider::ALREADY_CLOEXEC |
                                               kj::LowLevelAsyncIoProvider::ALREADY_NONBLOCK));
  }

 private:
  // A connection that ended badly ends alone.
  void taskFailed(kj::Exception&&) override {}

  const CapnpWrites writes_;
  kj::AsyncIoContext& io_;
  capnp_schema::Echo::Client handler_;
  kj::TaskSet links_;
};

// A thread and its connections. Start and Stop come from outside the loop.
class ServerLoop final {
 public:
  void Start(CapnpWrites writes, const ServerOptions& options, HoldMeter& meter) {
    loop_.Run(
        [&] { connections_ = std::make_unique<Connections>(writes, options, meter, loop_.io()); });
  }

  // Runs on the thread of the listening loop.
  void Take(kj::Own<kj::AsyncIoStream> stream) {
    if (loop_.OnThread()) {
      connections_->Add(kj::mv(stream));
      return;
    }
    int fd = -1;
    KJ_IF_MAYBE (own, stream->getFd()) fd = fcntl(*own, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return;  // out of descriptors: the connection closes
    loop_.Post([this, fd] { kj::runCatchingExceptions([&] { connections_->AddFd(fd); }); });
  }

  void Stop() {
    loop_.Run([&] { connections_.reset(); });
  }

  KjLoop& loop() { return loop_; }

 private:
  std::unique_ptr<Connections> connections_;
  KjLoop loop_;
};

class Server final : public EchoServer {
 public:
  Server(CapnpWrites writes, const ServerOptions& options, HoldMeter& meter)
      : address_(options.listen) {
    for (int i = 0; i < std::max(1, options.threads); ++i) {
      loops_.push_back(std::make_unique<ServerLoop>());
      loops_.back()->Start(writes, options, meter);
    }
    try {
      Acceptor().Run([&] { Listen(); });
    } catch (const Error& e) {
      StopLoops();
      throw Error("capnp: cannot listen on " + ToString(options.listen) + ": " + e.what());
    }
  }

  ~Server() noexcept override { Stop(); }

  Address address() const override { return address_; }

  void Stop() override {
    if (loops_.empty()) return;
    Acceptor().Run([&] {
      accepting_ = nullptr;
      receiver_ = nullptr;
    });
    StopLoops();
  }

 private:
  KjLoop& Acceptor() { return loops_.front()->loop(); }

  void Listen() {
    auto& io = Acceptor().io();
    auto address = io.provider->getNetwork()
                       .parseAddress(address_.host.c_str(), address_.port)
                       .wait(io.waitScope);
    receiver_ = address->listen();
    address_.port = static_cast<std::uint16_t>(receiver_->getPort());
    accepting_ = Accept().eagerlyEvaluate(nullptr);
  }

  kj::Promise<void> Accept() {
    return receiver_->accept().then(
        [this](kj::Own<kj::AsyncIoStream> stream) {
          // A peer that is gone already makes this fail; the next one must not suffer.
          kj::runCatchingExceptions([&] {
            SetNoDelay(*stream);
            loops_[next_++ % loops_.size()]->Take(kj::mv(stream));
          });
          return Accept();
        },
        [this](kj::Exception&&) {
          // Out of descriptors, most likely: that does not pass at once.
          auto& timer = Acceptor().io().provider->getTimer();
          return timer.atTime(After(kAcceptPause)).then([this] { return Accept(); });
        });
  }

  void StopLoops() {
    for (const auto& loop : loops_) loop->Stop();
    loops_.clear();
  }

  static constexpr std::chrono::milliseconds kAcceptPause{10};

  Address address_;
  std::vector<std::unique_ptr<ServerLoop>> loops_;
  // The listening loop's thread only.
  std::size_t next_ = 0;
  kj::Own<kj::ConnectionReceiver> receiver_;
  kj::Promise<void> accepting_ = nullptr;
};

}  // namespace

std::unique_ptr<EchoServer> StartCapnpServer(CapnpWrites writes, const ServerOptions& options,
                                             HoldMeter& meter) {
  return std::make_unique<Server>(writes, options, meter);
}

}  // namespace rpcbench
