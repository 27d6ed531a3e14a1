// See kj_loop.h.
#include "frameworks/capnp/kj_loop.h"

#include <kj/exception.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

// Events that kj runs before it looks at timers and sockets again. Without it a loop that always
// finds another message to read would not look at its timer at all.
constexpr unsigned kEventsBetweenPolls = 2000;

// libkj frees a chain of promises by recursion, a few frames a link: with 100,000 calls on a
// connection the usual 8 MB of stack were seen to overflow. Only what is used costs memory. A
// sanitizer would touch all of it.
constexpr std::size_t kStackBytes = std::size_t{512} << 20;

std::thread StartWithDeepStack(std::function<void()> main) {
#ifdef RPCBENCH_SANITIZED
  return std::thread(std::move(main));
#else
  pthread_attr_t usual;
  pthread_attr_t deep;
  pthread_getattr_default_np(&usual);
  pthread_getattr_default_np(&deep);
  pthread_attr_setstacksize(&deep, kStackBytes);
  pthread_setattr_default_np(&deep);
  std::thread thread(std::move(main));
  pthread_setattr_default_np(&usual);
  pthread_attr_destroy(&deep);
  pthread_attr_destroy(&usual);
  return thread;
#endif
}

}  // namespace

KjLoop::KjLoop(std::function<void()> on_wake)
    : on_wake_(std::move(on_wake)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (wake_fd_.get() < 0) {
    throw Error(std::string("capnp: no eventfd for an event loop: ") + std::strerror(errno));
  }
  const auto running = std::make_shared<std::promise<void>>();
  auto ready = running->get_future();
  thread_ = StartWithDeepStack([this, running] {
    bool told = false;
    try {
      Main([&] {
        told = true;
        running->set_value();
      });
    } catch (const kj::Exception& e) {
      if (told) throw;
      running->set_exception(std::make_exception_ptr(
          Error("capnp: cannot start an event loop: " + std::string(e.getDescription().cStr()))));
    }
  });
  try {
    ready.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

KjLoop::~KjLoop() {
  Post([this] { done_ = true; });
  thread_.join();
}

void KjLoop::Run(const std::function<void()>& task) {
  // Shared: this thread may go on while the loop's is still inside set_value.
  const auto ran = std::make_shared<std::promise<void>>();
  auto result = ran->get_future();
  Post([&task, ran] {
    try {
      task();
      ran->set_value();
    } catch (const kj::Exception& e) {
      ran->set_exception(std::make_exception_ptr(Error(e.getDescription().cStr())));
    } catch (...) {
      ran->set_exception(std::current_exception());
    }
  });
  result.get();
}

void KjLoop::Post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }
  Wake();
}

void KjLoop::Wake() {
  // Nobody reads the counter: kj watches edges, and each write is one.
  const std::uint64_t one = 1;
  (void)!write(wake_fd_.get(), &one, sizeof one);
}

void KjLoop::Main(const std::function<void()>& ready) {
  auto io = kj::setupAsyncIo();
  io.waitScope.setBusyPollInterval(kEventsBetweenPolls);
  io_ = &io;
  kj::UnixEventPort::FdObserver observer(io.unixEventPort, wake_fd_.get(),
                                         kj::UnixEventPort::FdObserver::OBSERVE_READ);
  auto woken = observer.whenBecomesReadable();
  ready();
  while (!done_) {
    woken.wait(io.waitScope);
    // Before the queues are looked at, so that a wake-up in between is seen.
    woken = observer.whenBecomesReadable();
    RunPosted();
    if (on_wake_) on_wake_();
  }
}

void KjLoop::RunPosted() {
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (const auto& task : tasks) task();
}

}  // namespace rpcbench
