// A server on a loop of its own for tests, with verbs. What the test gives its site runs on the
// loop.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "fanout/sse/feed.h"
#include "fanout/sse/raw_peer.h"
#include "fanout/sse/server.h"
#include "fanout/sse/stream_peer.h"
#include "fanout/sse/test_site.h"

namespace rpcbench {

// "/events" is a feed's stream, uncompressed, unless a test says otherwise.
class LiveServerTest : public testing::Test {
 protected:
  LiveServerTest() {
    site_.open = [this](const HttpRequest& request) -> std::optional<StreamOffer> {
      if (request.path != "/events") return std::nullopt;
      return StreamOffer{.source = feed_.Join(), .group = group_.get()};
    };
  }
  void TearDown() override { Stop(); }

  // Runs the task on the loop's thread and returns what it returns.
  template <class Task>
  auto OnLoop(Task task) {
    std::packaged_task<std::invoke_result_t<Task>()> packaged(std::move(task));
    auto result = packaged.get_future();
    boost::asio::post(loop_, [&packaged] { packaged(); });
    return result.get();
  }

  void Start(const SseServerOptions& options = {}) {
    server_ = std::make_unique<SseServer>(loop_, options, site_);
    group_ = server_->MakeGroup();
    address_ = server_->address();
    if (!thread_.joinable()) thread_ = std::thread([this] { loop_.run(); });
  }
  // Everything of the server is gone after it.
  void Stop() {
    if (!thread_.joinable()) return;
    OnLoop([this] { server_.reset(); });
    work_.reset();
    thread_.join();
  }

  SseServerCounts Counts() {
    return OnLoop([this] { return server_->counts(); });
  }
  // Turns the loop until it holds; the test fails if it never does.
  void WaitUntil(const std::string& what,
                 const std::function<bool(const SseServerCounts&)>& holds) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::seconds(kPeerDeadlineSeconds);
    while (!holds(Counts())) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << what << " never came";
      std::this_thread::yield();
    }
  }
  void WaitForStreams(std::size_t streams) {
    WaitUntil(std::to_string(streams) + " streams",
              [&](const SseServerCounts& counts) { return counts.streams == streams; });
  }

  void Publish(const std::string& data) {
    OnLoop([&] {
      feed_.Publish(data);
      server_->Kick(*group_);
    });
  }
  // The streams are told to come back within `spread`; returns once all is closed.
  void Drain(std::chrono::milliseconds spread) {
    auto done = std::make_shared<std::promise<void>>();
    OnLoop([&] { server_->Drain(spread, [done] { done->set_value(); }); });
    ASSERT_EQ(done->get_future().wait_for(std::chrono::seconds(kPeerDeadlineSeconds)),
              std::future_status::ready);
  }
  // One answer of a fixed length, its header first.
  std::string Ask(const std::string& request) {
    RawPeer peer(address_);
    peer.Send(request);
    peer.HalfClose();
    return peer.ReadToEnd();
  }

  boost::asio::io_context loop_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      loop_.get_executor()};
  TestSite site_;
  Feed feed_;
  std::unique_ptr<SseServer> server_;
  std::unique_ptr<StreamGroup> group_;
  Address address_;
  std::thread thread_;
};

}  // namespace rpcbench
