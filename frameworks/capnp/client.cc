// See client.h. A call costs a handful of promises, all of them on the connection's loop.
#include "frameworks/capnp/client.h"

#include <kj/time.h>
#include <kj/timer.h>

#include <algorithm>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "echo/call_inbox.h"
#include "echo/call_table.h"
#include "echo/error.h"
#include "frameworks/capnp/kj_loop.h"

namespace rpcbench {
namespace {

// Calls of a burst that are started before the loop goes on with its other work.
constexpr std::size_t kCallsATurn = 64;

// One connection, made and destroyed on its loop's thread, as all of its members run there.
class Connection final : private kj::TaskSet::ErrorHandler {
 public:
  Connection(kj::Own<kj::AsyncIoStream> stream, CapnpWrites writes, CallTable& table,
             ReplySink& sink)
      : table_(table),
        sink_(sink),
        link_(kj::mv(stream), writes),
        echo_(link_.Bootstrap()),
        calls_(std::in_place, static_cast<kj::TaskSet::ErrorHandler&>(*this)) {}

  // Settles what is in flight. Apart from the destructor, since a sink may call again meanwhile.
  void Close() {
    calls_.reset();
    table_.RemoveAll(this, [this](CallId id) { sink_.OnReply(id, Outcome::kCancelled, {}); });
  }

  // Done once the server has answered.
  kj::Promise<void> Ready() { return echo_.whenResolved(); }

  void Start(CallId id, const Record& record) {
    if (!calls_) {
      sink_.OnReply(id, Outcome::kCancelled, {});
      return;
    }
    table_.Add(id, this);
    KJ_IF_MAYBE (error, kj::runCatchingExceptions([&] { Send(id, record); })) {
      Fail(id);
    }
  }

 private:
  void Send(CallId id, const Record& record) {
    auto request = echo_.echoRequest(EchoSize(record.text.size()));
    ToCapnp(record, request.initRecord());
    calls_->add(request.send().then(
        [this, id](capnp::Response<capnp_schema::Echo::EchoResults>&& reply) { Settle(id, reply); },
        [this, id](kj::Exception&&) { Fail(id); }));
  }

  void Settle(CallId id, capnp_schema::Echo::EchoResults::Reader reply) {
    RecordView record;
    KJ_IF_MAYBE (error, kj::runCatchingExceptions([&] { record = FromCapnp(reply.getRecord()); })) {
      Fail(id);
      return;
    }
    if (table_.Remove(id, this)) sink_.OnReply(id, Outcome::kOk, record);
  }

  void Fail(CallId id) {
    if (table_.Remove(id, this)) sink_.OnReply(id, Outcome::kFailed, {});
  }

  void taskFailed(kj::Exception&&) override {}  // each call has a handler of its own

  CallTable& table_;
  ReplySink& sink_;
  CapnpLink link_;
  capnp_schema::Echo::Client echo_;
  std::optional<kj::TaskSet> calls_;  // none once closed
};

class Client;

// A loop and the clients whose calls it takes from other threads.
class ClientLoop final {
 public:
  ClientLoop() : loop_([this] { TakeCalls(); }) {}

  KjLoop& loop() { return loop_; }

  // The loop's thread only.
  void Add(Client* client) { clients_.push_back(client); }
  void Remove(Client* client) { std::erase(clients_, client); }

 private:
  void TakeCalls();

  std::vector<Client*> clients_;
  KjLoop loop_;
};

class Client final : public EchoClient {
 public:
  Client(std::shared_ptr<ClientLoop> loop, std::shared_ptr<CallTable> table)
      : loop_(std::move(loop)), table_(std::move(table)) {}

  ~Client() noexcept override {
    loop_->loop().Run([this] {
      loop_->Remove(this);
      connecting_ = nullptr;
      starting_ = nullptr;
      if (!connection_) return;
      connection_->Close();
      StartSome(std::numeric_limits<std::size_t>::max());
      connection_.reset();
    });
  }

  // Blocks until the server has answered on a new connection. Throws Error.
  void Connect(const Address& address, CapnpWrites writes, const ClientOptions& options,
               ReplySink& sink) {
    // Shared: this thread may go on while the loop's is still inside set_value.
    const auto connected = std::make_shared<std::promise<void>>();
    auto result = connected->get_future();
    loop_->loop().Post([&, connected] { StartConnect(address, writes, options, sink, connected); });
    result.get();
    loop_->loop().Run([this] {
      connecting_ = nullptr;
      loop_->Add(this);
    });
  }

  void Call(CallId id, const Record& record) override {
    if (loop_->loop().OnThread()) {
      connection_->Start(id, record);
    } else if (inbox_.Push(id, record)) {
      loop_->loop().Wake();
    }
  }

  // The loop's thread, after a wake-up.
  void TakeCalls() {
    if (busy_) return;  // looks at the inbox again when it is through
    busy_ = true;
    starting_ = StartInTurns().eagerlyEvaluate(nullptr);
  }

 private:
  // A burst is not started in one go: the first calls of it would wait for the last one before
  // they are sent.
  kj::Promise<void> StartInTurns() {
    busy_ = StartSome(kCallsATurn);
    if (!busy_) return kj::READY_NOW;
    return kj::evalLater([this] { return StartInTurns(); });
  }

  // Starts calls from the inbox, `most` at most. False if it is empty now.
  bool StartSome(std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
      if (next_ == taken_.size()) {
        inbox_.Take(taken_);
        next_ = 0;
        if (taken_.empty()) return false;
      }
      const CallInbox::Entry& call = taken_[next_++];
      connection_->Start(call.id, *call.record);
    }
    return true;
  }

  void StartConnect(const Address& address, CapnpWrites writes, const ClientOptions& options,
                    ReplySink& sink, std::shared_ptr<std::promise<void>> connected) {
    auto& provider = *loop_->loop().io().provider;
    auto stand = kj::evalNow([&] {
      return provider.getNetwork()
          .parseAddress(address.host.c_str(), address.port)
          .then([](kj::Own<kj::NetworkAddress> parsed) {
            auto stream = parsed->connect();
            return stream.attach(kj::mv(parsed));
          })
          .then([this, writes, &sink](kj::Own<kj::AsyncIoStream> stream) {
            SetNoDelay(*stream);
            connection_ = std::make_unique<Connection>(kj::mv(stream), writes, *table_, sink);
            return connection_->Ready();
          });
    });
    const auto deadline =
        kj::systemPreciseMonotonicClock().now() + options.connect_timeout.count() * kj::NANOSECONDS;
    connecting_ =
        provider.getTimer()
            .timeoutAt(deadline, kj::mv(stand))
            .then([connected] { connected->set_value(); },
                  [connected, to = ToString(address)](kj::Exception&& e) {
                    connected->set_exception(std::make_exception_ptr(Error(
                        "capnp: cannot connect to " + to + ": " + e.getDescription().cStr())));
                  })
            .eagerlyEvaluate(nullptr);
  }

  const std::shared_ptr<ClientLoop> loop_;
  const std::shared_ptr<CallTable> table_;
  CallInbox inbox_;
  // The loop's thread only.
  std::vector<CallInbox::Entry> taken_;
  std::size_t next_ = 0;  // of those taken
  bool busy_ = false;     // some are not started yet
  kj::Promise<void> starting_ = nullptr;
  std::unique_ptr<Connection> connection_;
  kj::Promise<void> connecting_ = nullptr;
};

void ClientLoop::TakeCalls() {
  for (Client* client : clients_) client->TakeCalls();
}

}  // namespace

EchoClients ConnectCapnp(CapnpWrites writes, const Address& address, const ClientOptions& options,
                         ReplySink& sink) {
  const auto table = std::make_shared<CallTable>(options.call_limit);
  std::vector<std::shared_ptr<ClientLoop>> loops;
  for (int i = 0; i < std::clamp(options.threads, 1, std::max(1, options.connections)); ++i) {
    loops.push_back(std::make_shared<ClientLoop>());
  }
  EchoClients clients;
  for (int i = 0; i < options.connections; ++i) {
    auto client =
        std::make_unique<Client>(loops[static_cast<std::size_t>(i) % loops.size()], table);
    client->Connect(address, writes, options, sink);
    clients.push_back(std::move(client));
  }
  return clients;
}

}  // namespace rpcbench
