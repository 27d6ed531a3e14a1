// direct: the handler called in process. No socket, no codec: what is left is what the harness
// itself costs.
//
// A loop is a thread that takes calls, holds them in the delay line, and copies the record as the
// echo. Servers and clients of one list of frameworks find each other by port in a registry that
// the two functions share.
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "echo/call_inbox.h"
#include "echo/call_table.h"
#include "echo/delay_line.h"
#include "echo/error.h"
#include "echo/framework.h"

namespace rpcbench {
namespace {

class Loop;

// A listening server: its options, and the loops that run its handler.
struct Listener {
  ServerOptions options;
  HoldMeter* meter = nullptr;
  std::mutex mutex;
  bool stopped = false;
  std::vector<Loop*> loops;
};

struct Registry {
  std::mutex mutex;
  std::map<std::uint16_t, std::shared_ptr<Listener>> by_port;
};

struct Held {
  CallId id;
  const void* client;
  const Record* record;
};

// One thread. Everything but Post and Submit runs on it.
class Loop final {
 public:
  Loop(std::shared_ptr<Listener> listener, std::shared_ptr<CallTable> table, ReplySink& sink)
      : listener_(std::move(listener)),
        table_(std::move(table)),
        sink_(sink),
        line_(listener_->options, *listener_->meter),
        thread_([this] { Run(); }) {
    const std::lock_guard lock(listener_->mutex);
    closed_ = listener_->stopped;
    listener_->loops.push_back(this);
  }

  ~Loop() {
    {
      const std::lock_guard lock(listener_->mutex);
      std::erase(listener_->loops, this);
    }
    Post([this] { done_ = true; });
    thread_.join();
  }

  // Runs `task` on the loop's thread and waits for it.
  void Post(std::function<void()> task) {
    std::unique_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    const std::uint64_t mine = ++tasks_posted_;
    wake_.notify_one();
    task_done_.wait(lock, [&] { return tasks_run_ >= mine; });
  }

  void Submit(CallId id, const void* client, const Record& record) {
    if (std::this_thread::get_id() == thread_.get_id()) {
      taken_.push_back({id, client, &record});
      return;
    }
    const std::lock_guard lock(mutex_);
    submitted_.push_back({id, client, &record});
    if (submitted_.size() == 1) wake_.notify_one();
  }

  // Server stopped: drops what is held and fails every call from now on.
  void Close() {
    Post([this] {
      closed_ = true;
      line_.Clear();
      for (const void* client : clients_) Settle(client, Outcome::kFailed);
    });
  }

  void AddClient(const void* client) {
    Post([this, client] { clients_.push_back(client); });
  }

  void RemoveClient(const void* client) {
    Post([this, client] {
      Admit();
      std::erase(clients_, client);
      Settle(client, Outcome::kCancelled);
    });
  }

 private:
  void Run() {
    while (!done_) {
      Wait();
      Admit();
      line_.ReleaseDue([this](Held held) { Reply(held); });
    }
  }

  // Sleeps until there is a call, a task or a due reply; runs the tasks.
  void Wait() {
    std::unique_lock lock(mutex_);
    const auto ready = [this] { return !submitted_.empty() || !tasks_.empty(); };
    if (taken_.empty() && !ready()) {
      if (const auto due = line_.NextDue())
        wake_.wait_until(lock, *due, ready);
      else
        wake_.wait(lock, ready);
    }
    arriving_.swap(submitted_);
    while (!tasks_.empty()) {
      auto tasks = std::exchange(tasks_, {});
      lock.unlock();
      for (const auto& task : tasks) task();
      lock.lock();
      tasks_run_ += tasks.size();
      task_done_.notify_all();
    }
  }

  // Takes the calls that came, from this thread and from others.
  void Admit() {
    const auto now = std::chrono::steady_clock::now();
    for (auto* batch : {&arriving_, &taken_}) {
      admitting_.clear();
      admitting_.swap(*batch);
      for (const Held& call : admitting_) {
        if (closed_) {
          sink_.OnReply(call.id, Outcome::kFailed, {});
          continue;
        }
        table_->Add(call.id, call.client);
        line_.Push(call, call.record->flag, now);
      }
    }
  }

  // The handler: the echo is a copy, as a server's is.
  void Reply(const Held& held) {
    if (!table_->Remove(held.id, held.client)) return;  // its client is gone
    echo_ = *held.record;
    sink_.OnReply(held.id, Outcome::kOk, echo_);
  }

  void Settle(const void* client, Outcome outcome) {
    table_->RemoveAll(client, [&](CallId id) { sink_.OnReply(id, outcome, {}); });
  }

  const std::shared_ptr<Listener> listener_;
  const std::shared_ptr<CallTable> table_;
  ReplySink& sink_;
  DelayLine<Held> line_;
  Record echo_;
  bool closed_ = false;
  bool done_ = false;
  std::vector<const void*> clients_;
  std::vector<Held> taken_;     // from this thread
  std::vector<Held> arriving_;  // from others, out of the lock
  std::vector<Held> admitting_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable task_done_;
  std::vector<Held> submitted_;
  std::vector<std::function<void()>> tasks_;
  std::uint64_t tasks_posted_ = 0;
  std::uint64_t tasks_run_ = 0;

  std::thread thread_;  // last: everything above exists when it starts
};

class Server final : public EchoServer {
 public:
  Server(std::shared_ptr<Registry> registry, const ServerOptions& options, HoldMeter& meter)
      : registry_(std::move(registry)), listener_(std::make_shared<Listener>()) {
    listener_->options = options;
    listener_->meter = &meter;
    address_ = options.listen;
    const std::lock_guard lock(registry_->mutex);
    if (address_.port == 0) {
      address_.port = 1;
      while (registry_->by_port.contains(address_.port)) ++address_.port;
    }
    if (!registry_->by_port.emplace(address_.port, listener_).second) {
      throw Error("direct: port " + std::to_string(address_.port) + " is in use");
    }
  }

  ~Server() override { Stop(); }

  Address address() const override { return address_; }

  void Stop() override {
    {
      const std::lock_guard lock(registry_->mutex);
      const auto found = registry_->by_port.find(address_.port);
      if (found == registry_->by_port.end() || found->second != listener_) return;
      registry_->by_port.erase(found);
    }
    const std::lock_guard lock(listener_->mutex);
    listener_->stopped = true;
    for (Loop* loop : listener_->loops) loop->Close();
  }

 private:
  const std::shared_ptr<Registry> registry_;
  const std::shared_ptr<Listener> listener_;
  Address address_;
};

class Client final : public EchoClient {
 public:
  explicit Client(std::shared_ptr<Loop> loop) : loop_(std::move(loop)) { loop_->AddClient(this); }
  ~Client() override { loop_->RemoveClient(this); }

  void Call(CallId id, const Record& record) override { loop_->Submit(id, this, record); }

 private:
  const std::shared_ptr<Loop> loop_;
};

EchoClients Connect(Registry& registry, const Address& address, const ClientOptions& options,
                    ReplySink& sink) {
  std::shared_ptr<Listener> listener;
  {
    const std::lock_guard lock(registry.mutex);
    const auto found = registry.by_port.find(address.port);
    if (found == registry.by_port.end()) {
      throw Error("direct: no server of this process at " + ToString(address));
    }
    listener = found->second;
  }
  const auto table = std::make_shared<CallTable>(options.call_limit);
  std::vector<std::shared_ptr<Loop>> loops;
  for (int i = 0; i < std::min(options.threads, options.connections); ++i) {
    loops.push_back(std::make_shared<Loop>(listener, table, sink));
  }
  EchoClients clients;
  for (int i = 0; i < options.connections; ++i) {
    clients.push_back(std::make_unique<Client>(loops[static_cast<std::size_t>(i) % loops.size()]));
  }
  return clients;
}

}  // namespace

std::vector<Framework> DirectFrameworks() {
  const auto registry = std::make_shared<Registry>();
  Framework direct;
  direct.name = "direct";
  direct.label = "Direct call (harness only)";
  direct.version = "none";
  direct.settings =
      "no socket and no codec; the echo is a copy of the record; both sides share the client's "
      "thread";
  direct.traits = {
      .transport = "memory", .codec = "none", .carries = Carries::kMany, .in_process = true};
  direct.start_server = [registry](const ServerOptions& options, HoldMeter& meter) {
    return std::make_unique<Server>(registry, options, meter);
  };
  direct.connect = [registry](const Address& address, const ClientOptions& options,
                              ReplySink& sink) {
    return Connect(*registry, address, options, sink);
  };
  return {direct};
}

}  // namespace rpcbench
