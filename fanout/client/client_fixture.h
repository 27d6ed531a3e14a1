// What the client's tests share: a source, what it heard, and a clock that does not wait.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fanout/client/event_source.h"
#include "fanout/client/scripted_server.h"

namespace rpcbench {

class ClientFixture : public testing::Test, public EventSourceSink {
 protected:
  void Connect(const std::string& url) {
    EventSourceOptions options = options_;
    options.url = url;
    options.random = [] { return 0.0; };
    options.wait = [this](std::chrono::milliseconds delay, std::function<void()> then) {
      delays_.push_back(delay.count());
      if (!forever_) boost::asio::post(loop_, std::move(then));
    };
    source_ = std::make_unique<EventSource>(loop_, options, *this);
  }

  // Lets the client and the server run until the log has `lines` lines.
  void RunTo(std::size_t lines) {
    while (log_.size() < lines) {
      ASSERT_GT(loop_.run_one_for(std::chrono::seconds(20)), 0u)
          << "nothing more happens after: " << testing::PrintToString(log_);
    }
  }
  // Until nothing is left to do but to wait for connections.
  void RunOut() {
    server_.Refuse();
    loop_.run_for(std::chrono::seconds(20));
  }

  void OnOpen(std::string_view coding) override {
    log_.push_back(coding.empty() ? "open" : "open " + std::string(coding));
  }
  void OnEvent(const ReceivedEvent& event) override {
    log_.push_back(std::string(event.name) + ":" + std::string(event.data));
    if (on_event_) on_event_();
  }
  void OnLost(const std::string& why, std::chrono::milliseconds) override {
    log_.push_back("lost");
    why_ = why;
  }
  void OnFailed(const std::string& why) override {
    log_.push_back("failed");
    why_ = why;
  }

  // The beginning of a response whose body ends with the connection.
  static std::string Head(const std::string& more = "",
                          const std::string& type = "text/event-stream") {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + more + "\r\n";
  }

  boost::asio::io_context loop_{1};
  ScriptedServer server_{loop_};
  EventSourceOptions options_;
  std::unique_ptr<EventSource> source_;
  std::vector<std::string> log_;
  std::string why_;                   // of the last loss or failure
  std::vector<std::int64_t> delays_;  // ms, as they were asked for; none takes time
  bool forever_ = false;              // delays never pass
  std::function<void()> on_event_;
};

}  // namespace rpcbench
