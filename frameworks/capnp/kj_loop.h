// A thread that runs one kj event loop, and the way into it from other threads. Knows nothing of
// connections.
//
// The way in is a mutex and an eventfd and not kj::Executor: its executeSync makes a promise a
// call, and one wake-up serves calls and tasks alike.
#pragma once

#include <kj/async-io.h>
#include <kj/async-unix.h>
#include <kj/io.h>

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rpcbench {

class KjLoop final {
 public:
  // The loop runs when this returns. `on_wake` runs on the loop's thread after each Wake, once for
  // several that come together. Throws Error.
  explicit KjLoop(std::function<void()> on_wake = {});
  // Runs what was posted, then ends the thread. kj objects of this loop are gone before.
  ~KjLoop();
  KjLoop(const KjLoop&) = delete;
  KjLoop& operator=(const KjLoop&) = delete;

  // Runs `task` on the loop's thread and waits for it. What it throws is thrown here; a
  // kj::Exception, which must not leave its thread, becomes an Error. On the loop's own thread it
  // would wait for itself.
  void Run(const std::function<void()>& task);

  // Any thread. Runs `task` on the loop's thread, in the order of the posts. It must not throw.
  void Post(std::function<void()> task);

  // Any thread.
  void Wake();

  bool OnThread() const { return std::this_thread::get_id() == thread_.get_id(); }

  // The loop's thread only, as all of kj.
  kj::AsyncIoContext& io() { return *io_; }

 private:
  void Main(const std::function<void()>& ready);
  void RunPosted();

  const std::function<void()> on_wake_;
  kj::AutoCloseFd wake_fd_;
  kj::AsyncIoContext* io_ = nullptr;
  bool done_ = false;  // the loop's thread only

  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;

  std::thread thread_;
};

}  // namespace rpcbench
