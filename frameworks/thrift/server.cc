#include "frameworks/thrift/server.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <thrift/concurrency/ThreadFactory.h>
#include <thrift/concurrency/ThreadManager.h>
#include <thrift/server/TNonblockingServer.h>
#include <thrift/transport/TNonblockingServerSocket.h>
#include <thrift/transport/TSocket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

using apache::thrift::concurrency::ThreadFactory;
using apache::thrift::concurrency::ThreadManager;
using apache::thrift::server::TNonblockingServer;
using apache::thrift::transport::TFramedTransport;
using apache::thrift::transport::TNonblockingServerSocket;
using apache::thrift::transport::TSocket;
using Clock = std::chrono::steady_clock;

constexpr int kLeastWorkers = 16;
constexpr std::chrono::seconds kStartPatience{10};

// The accepted sockets that are open. Thrift's server closes them only in its destructor, and until
// then a worker that wakes early would still send its reply.
class OpenSockets final {
 public:
  void Add(int fd) {
    const std::lock_guard lock(mutex_);
    fds_.insert(fd);
    if (shut_) ::shutdown(fd, SHUT_RDWR);
  }

  // Before `fd` is closed: after that the number may be another's.
  void Remove(int fd) {
    const std::lock_guard lock(mutex_);
    fds_.erase(fd);
  }

  // Ends every connection, and each that is accepted from now on.
  void ShutAll() {
    const std::lock_guard lock(mutex_);
    shut_ = true;
    for (const int fd : fds_) ::shutdown(fd, SHUT_RDWR);
  }

 private:
  std::mutex mutex_;
  std::set<int> fds_;
  bool shut_ = false;
};

class AcceptedSocket final : public TSocket {
 public:
  AcceptedSocket(int fd, std::shared_ptr<OpenSockets> sockets)
      : TSocket(fd), sockets_(std::move(sockets)) {
    sockets_->Add(fd);
  }

  ~AcceptedSocket() override { Forget(); }

  void close() override {
    Forget();
    TSocket::close();
  }

 private:
  void Forget() {
    if (getSocketFD() >= 0) sockets_->Remove(getSocketFD());
  }

  const std::shared_ptr<OpenSockets> sockets_;
};

class Listener final : public TNonblockingServerSocket {
 public:
  Listener(const Address& address, std::shared_ptr<OpenSockets> sockets)
      : TNonblockingServerSocket(address.host, address.port), sockets_(std::move(sockets)) {}

  // The server's I/O thread closes the descriptor that it is given, and this object closes its own:
  // with one for both, the second close could hit a descriptor that another thread just opened.
  int getSocketFD() override {
    return ::fcntl(TNonblockingServerSocket::getSocketFD(), F_DUPFD_CLOEXEC, 0);
  }

 protected:
  std::shared_ptr<TSocket> createSocket(int fd) override {
    return std::make_shared<AcceptedSocket>(fd, sockets_);
  }

 private:
  const std::shared_ptr<OpenSockets> sockets_;
};

// Sleeps for the delay on the worker's thread and echoes.
class Handler final : public thrift_schema::EchoIf {
 public:
  Handler(const ServerOptions& options, HoldMeter& meter) : options_(options), meter_(meter) {}

  void echo(thrift_schema::Record& reply, const thrift_schema::Record& record) override {
    const auto taken = Clock::now();
    meter_.Enter();
    const auto delay = options_.DelayFor(record.flag);
    if (delay.count() > 0 && !Sleep(taken + delay)) {
      meter_.Drop();
      return;  // the connection is shut already, so that this reply goes nowhere
    }
    reply = record;
    meter_.Leave(Clock::now() - taken);
  }

  void Wake() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_all();
  }

 private:
  // False if the server stopped before `due`.
  bool Sleep(Clock::time_point due) {
    std::unique_lock lock(mutex_);
    return !wake_.wait_until(lock, due, [this] { return stopped_; });
  }

  const ServerOptions options_;
  HoldMeter& meter_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
};

class Server final : public EchoServer {
 public:
  Server(ThriftWire wire, const ServerOptions& options, HoldMeter& meter)
      : address_(options.listen),
        sockets_(std::make_shared<OpenSockets>()),
        handler_(std::make_shared<Handler>(options, meter)) {
    MakeServer(wire, options);
    std::promise<void> listening;
    thread_ = std::thread([&] { Serve(listening); });
    try {
      listening.get_future().get();
    } catch (const std::exception& problem) {
      thread_.join();
      if (workers_) workers_->stop();
      throw Error("thrift: cannot listen on " + ToString(address_) + " with " +
                  std::to_string(options.threads) + " I/O threads: " + problem.what());
    }
    address_.port = static_cast<std::uint16_t>(server_->getListenPort());
  }

  ~Server() override { Stop(); }

  Address address() const override { return address_; }

  // The I/O threads run until the workers are gone: each worker reports to its I/O thread through a
  // socket pair, and would wait for ever once that is full and nobody reads it.
  void Stop() override {
    if (!server_) return;
    sockets_->ShutAll();
    handler_->Wake();
    if (workers_) workers_->stop();
    server_->stop();
    thread_.join();
    server_.reset();
  }

  // The second I/O thread and those after it set themselves up on their own. Until one has, the
  // server closes a connection that it deals to it, and a stop would not reach it. Connections are
  // dealt in turn, so that as many answers in a row as there are threads show that all are there.
  void AwaitThreads(ThriftWire wire, int threads) {
    const auto deadline = Clock::now() + kStartPatience;
    for (int answered = 0; answered < threads;) {
      answered = Answers(wire) ? answered + 1 : 0;
      if (answered == 0 && Clock::now() > deadline) {
        throw Error("thrift: the " + std::to_string(threads) + " I/O threads at " +
                    ToString(address_) + " did not all answer within 10 s");
      }
    }
  }

 private:
  void MakeServer(ThriftWire wire, const ServerOptions& options) {
    const bool sleeps = options.delay.count() > 0 || options.DelayFor(true).count() > 0;
    if (sleeps) {
      const int workers = std::max(kLeastWorkers, options.connections);
      workers_ = ThreadManager::newSimpleThreadManager(static_cast<std::size_t>(workers));
      workers_->threadFactory(std::make_shared<ThreadFactory>(false));  // joined, not detached
      workers_->start();
    }
    const auto processor = MakeThriftProcessor(wire, handler_);
    const auto listener = std::make_shared<Listener>(address_, sockets_);
    server_ = std::make_unique<TNonblockingServer>(processor, MakeThriftProtocols(wire), listener,
                                                   workers_);
    server_->setNumIOThreads(static_cast<std::size_t>(std::max(1, options.threads)));
    server_->setMaxFrameSize(kMaxThriftFrame);
  }

  // The first I/O thread. Thrift takes the thread that registers the events for the one that runs
  // the loop: a stop from it would not wake the loop, so that only this thread may register them.
  void Serve(std::promise<void>& listening) {
    try {
      server_->registerEvents(nullptr);  // binds and listens
    } catch (const std::exception&) {
      return listening.set_exception(std::current_exception());
    }
    listening.set_value();
    server_->serve();
  }

  // True if a connection of its own gets a reply to a method that does not exist.
  bool Answers(ThriftWire wire) {
    const auto socket = std::make_shared<TSocket>(address_.host, address_.port);
    socket->setConnTimeout(1000);
    socket->setRecvTimeout(1000);
    const auto protocol =
        MakeThriftProtocols(wire)->getProtocol(std::make_shared<TFramedTransport>(socket));
    try {
      socket->open();
      protocol->writeMessageBegin("ready", apache::thrift::protocol::T_CALL, 1);
      protocol->writeStructBegin("ready_args");
      protocol->writeFieldStop();
      protocol->writeStructEnd();
      protocol->writeMessageEnd();
      protocol->getTransport()->flush();
      std::string method;
      apache::thrift::protocol::TMessageType type{};
      std::int32_t sequence = 0;
      protocol->readMessageBegin(method, type, sequence);
      return type == apache::thrift::protocol::T_EXCEPTION;
    } catch (const apache::thrift::TException&) {
      return false;
    }
  }

  Address address_;
  const std::shared_ptr<OpenSockets> sockets_;
  const std::shared_ptr<Handler> handler_;
  std::shared_ptr<ThreadManager> workers_;  // none where no handler sleeps
  std::unique_ptr<TNonblockingServer> server_;
  std::thread thread_;  // the first I/O thread, which also accepts
};

}  // namespace

std::unique_ptr<EchoServer> StartThriftServer(ThriftWire wire, const ServerOptions& options,
                                              HoldMeter& meter) {
  auto server = std::make_unique<Server>(wire, options, meter);
  if (options.threads > 1) server->AwaitThreads(wire, options.threads);
  return server;
}

}  // namespace rpcbench
