#include "frameworks/thrift/client.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "echo/call_inbox.h"
#include "echo/error.h"
#include "frameworks/thrift/connection.h"

namespace rpcbench {
namespace {

// A connection as its loop sees it.
struct Member {
  Member(Descriptor socket, ThriftCodec& codec, ReplySink& sink)
      : connection(std::move(socket), codec, sink) {}

  ThriftConnection connection;
  CallInbox inbox;        // calls from other threads
  bool is_ready = false;  // is in the loop's list
};

// One thread that polls the sockets of its connections.
class Loop final {
 public:
  Loop(ThriftWire wire, ReplySink& sink)
      : sink_(sink),
        codec_(MakeThriftCodec(wire)),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)),
        wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = nullptr}};
    if (epoll_.get() < 0 || wake_.get() < 0 ||
        ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0) {
      throw Error(std::string("thrift: cannot set up a client thread: ") + std::strerror(errno));
    }
    thread_ = std::thread([this] { Run(); });
  }

  ~Loop() {
    RunTask([this] { done_ = true; });
    thread_.join();
  }

  std::unique_ptr<Member> Add(Descriptor socket) {
    auto member = std::make_unique<Member>(std::move(socket), *codec_, sink_);
    epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                      .data = {.ptr = member.get()}};
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, member->connection.fd(), &event) != 0) {
      throw Error(std::string("thrift: cannot poll a connection: ") + std::strerror(errno));
    }
    return member;
  }

  // Settles the member's calls as cancelled; the loop does not touch it any more.
  void Remove(Member& member) {
    RunTask([this, &member] {
      member.connection.Cancel();
      std::erase(ready_, &member);
    });
  }

  void Call(Member& member, CallId id, const Record& record) {
    if (std::this_thread::get_id() == thread_.get_id()) {
      member.connection.Enqueue(id, &record);
      return MarkReady(member);
    }
    if (!member.inbox.Push(id, record)) return;
    const std::lock_guard lock(mutex_);
    mail_.push_back(&member);
    if (mail_.size() == 1) Wake();
  }

 private:
  // Runs `task` on the loop's thread and waits for it.
  void RunTask(const std::function<void()>& task) {
    bool ran = false;
    std::unique_lock lock(mutex_);
    tasks_.push_back([&] {
      task();
      const std::lock_guard relock(mutex_);
      ran = true;
      task_ran_.notify_all();
    });
    Wake();
    task_ran_.wait(lock, [&] { return ran; });
  }

  void Wake() {
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);  // fails only if a wake-up is pending anyway
  }

  void Run() {
    std::array<epoll_event, 64> events;
    while (!done_) {
      const int count =
          ::epoll_wait(epoll_.get(), events.data(), events.size(), ready_.empty() ? -1 : 0);
      bool woken = false;
      for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        if (event.data.ptr == nullptr) {
          woken = true;
          continue;
        }
        auto& member = *static_cast<Member*>(event.data.ptr);
        member.connection.OnReady((event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
        MarkReady(member);
      }
      // Members go only here, when no event of this turn can name them any more.
      if (woken) TakeMail();
      PumpReady();
    }
  }

  void TakeMail() {
    std::uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
    {
      const std::lock_guard lock(mutex_);
      taken_mail_.swap(mail_);
      taken_tasks_.swap(tasks_);
    }
    for (Member* member : taken_mail_) {
      member->inbox.Take(taken_calls_);
      for (const auto& call : taken_calls_) member->connection.Enqueue(call.id, call.record);
      MarkReady(*member);
    }
    taken_mail_.clear();
    for (const auto& task : taken_tasks_) task();
    taken_tasks_.clear();
  }

  void MarkReady(Member& member) {
    if (std::exchange(member.is_ready, true)) return;
    ready_.push_back(&member);
  }

  // Calls that come from inside OnReply mark their member again, for the next turn.
  void PumpReady() {
    pumped_.clear();
    pumped_.swap(ready_);
    for (Member* member : pumped_) {
      member->is_ready = false;
      member->connection.Pump();
    }
  }

  ReplySink& sink_;
  const std::unique_ptr<ThriftCodec> codec_;
  const Descriptor epoll_;
  const Descriptor wake_;
  bool done_ = false;
  std::vector<Member*> ready_;  // have something to send or to fail
  std::vector<Member*> pumped_;
  std::vector<Member*> taken_mail_;
  std::vector<CallInbox::Entry> taken_calls_;
  std::vector<std::function<void()>> taken_tasks_;

  std::mutex mutex_;
  std::condition_variable task_ran_;
  std::vector<Member*> mail_;  // whose inbox is no longer empty
  std::vector<std::function<void()>> tasks_;

  std::thread thread_;
};

class Client final : public EchoClient {
 public:
  Client(std::shared_ptr<Loop> loop, Descriptor socket)
      : loop_(std::move(loop)), member_(loop_->Add(std::move(socket))) {}
  ~Client() override { loop_->Remove(*member_); }

  void Call(CallId id, const Record& record) override { loop_->Call(*member_, id, record); }

 private:
  const std::shared_ptr<Loop> loop_;
  const std::unique_ptr<Member> member_;
};

}  // namespace

EchoClients ConnectThrift(ThriftWire wire, const Address& address, const ClientOptions& options,
                          ReplySink& sink) {
  std::vector<std::shared_ptr<Loop>> loops;
  for (int i = 0; i < std::max(1, std::min(options.threads, options.connections)); ++i) {
    loops.push_back(std::make_shared<Loop>(wire, sink));
  }
  EchoClients clients;
  for (int i = 0; i < options.connections; ++i) {
    clients.push_back(std::make_unique<Client>(loops[static_cast<std::size_t>(i) % loops.size()],
                                               DialThrift(address, options.connect_timeout)));
  }
  return clients;
}

}  // namespace rpcbench
