// For tests: a board server on ports of its own, with a database that lives as long as the test.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "fanout/board/loop_thread.h"
#include "fanout/page/board_server.h"
#include "fanout/page/board_stream.h"
#include "fanout/page/data_folder.h"
#include "fanout/page/http_ask.h"

namespace rpcbench {

// With verbs: start, ask, add, restart.
class BoardFixture : public testing::Test {
 protected:
  BoardFixture() {
    options_.rate = 0;
    options_.tick = std::chrono::milliseconds(10);
    options_.store.synchronous = Synchronous::kNormal;
    options_.test_hooks = true;
  }
  ~BoardFixture() override { StopServer(); }

  void StartServer() {
    options_.store.file = data_.path() / "board.sqlite";
    thread_ = std::make_unique<LoopThread>();
    thread_->Do([this] {
      server_ = std::make_unique<BoardServer>(thread_->loop(), options_);
      server_->Start();
    });
  }
  void StopServer() {
    if (!thread_) return;
    thread_->Do([this] { server_.reset(); });
    thread_.reset();
  }

  Address address() const { return server_->address(); }
  http::response<http::string_body> Get(const std::string& target) {
    return HttpAsk(address()).Send(http::verb::get, target);
  }
  http::response<http::string_body> Command(const std::string& body,
                                            const std::string& type = "application/json") {
    return HttpAsk(address()).Send(http::verb::post, "/command", body, type);
  }

  BoardServerOptions options_;
  std::unique_ptr<LoopThread> thread_;
  std::unique_ptr<BoardServer> server_;

  // What the HTML says of a card.
  static std::string CountOf(int card, const std::string& html) {
    const auto begin = html.find("data-card=\"" + std::to_string(card) + "\"");
    const std::string mark = "class=\"count\">";
    const auto count = html.find(mark, begin) + mark.size();
    return html.substr(count, html.find('<', count) - count);
  }
  // Reads boards until the card counts so many; returns that event.
  static BoardStream::Seen Until(BoardStream& stream, int card, int count) {
    for (;;) {
      BoardStream::Seen seen = stream.Next("board");
      if (CountOf(card, seen.data) == std::to_string(count)) return seen;
    }
  }

 private:
  DataFolder data_{{}};
};

}  // namespace rpcbench
