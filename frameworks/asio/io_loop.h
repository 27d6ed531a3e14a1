// One Asio event loop on a thread of its own; the base of every adapter over Asio and Beast.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

namespace rpcbench {

class IoLoop final {
 public:
  // The hint of 1 lets Asio skip what only several threads on one context need.
  IoLoop() : context_(1), work_(context_.get_executor()), thread_([this] { context_.run(); }) {}
  ~IoLoop() { Join(); }
  IoLoop(const IoLoop&) = delete;
  IoLoop& operator=(const IoLoop&) = delete;

  boost::asio::io_context& context() { return context_; }
  bool OnThread() const { return std::this_thread::get_id() == thread_.get_id(); }

  // Runs `task` on the loop's thread and waits for it. Not from the loop's own thread, and not
  // after Join.
  template <class Task>
  void RunAndWait(Task task) {
    std::promise<void> done;
    const std::future<void> finished = done.get_future();
    boost::asio::post(context_, [&task, done = std::move(done)]() mutable {
      task();
      done.set_value();
    });
    finished.wait();
  }

  // Ends the thread; handlers that did not run are dropped with the context. May be repeated.
  void Join() {
    work_.reset();
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace rpcbench
