#include "fanout/board/loop_thread.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <memory>

namespace rpcbench {

LoopThread::LoopThread() : work_(loop_.get_executor()) {
  thread_ = std::thread([this] {
    try {
      loop_.run();
    } catch (...) {
      failure_ = std::current_exception();
      failed_ = true;
    }
  });
}

LoopThread::~LoopThread() {
  Stop();
}

void LoopThread::Do(const std::function<void()>& work) {
  // Owned by the task: if the loop ends first, it is destroyed with what waits.
  auto task = std::make_shared<std::packaged_task<void()>>(work);
  auto done = task->get_future();
  boost::asio::post(loop_, [task] { (*task)(); });
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) CheckAlive();
  done.get();
}

void LoopThread::CheckAlive() {
  if (failed_) std::rethrow_exception(failure_);
}

void LoopThread::Stop() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace rpcbench
