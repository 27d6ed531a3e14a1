// The thread that ticks and writes: an event loop, and a way for others to have something done on
// it.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <functional>
#include <thread>

namespace rpcbench {

class LoopThread final {
 public:
  LoopThread();
  ~LoopThread();  // stops
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  boost::asio::io_context& loop() { return loop_; }

  // Runs it on the loop's thread and returns when it is done; what it throws is thrown here. Not
  // from that thread, and not after Stop.
  void Do(const std::function<void()>& work);

  // Throws what a handler threw, if one did: that has ended the loop.
  void CheckAlive();

  // Ends the thread after what it does now. What still waits is never run. May be repeated.
  void Stop();

 private:
  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};  // after failure_ is set
  std::thread thread_;               // last: it uses the rest
};

}  // namespace rpcbench
