// The board as a service: database, load, ticks, streams and page, put together.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fanout/board/board.h"
#include "fanout/board/committed.h"
#include "fanout/board/producers.h"
#include "fanout/board/store.h"
#include "fanout/board/tick_loop.h"
#include "fanout/board/writer.h"
#include "fanout/encode/topic.h"
#include "fanout/page/page_site.h"
#include "fanout/page/panel.h"
#include "fanout/sse/server.h"

namespace rpcbench {

struct BoardServerOptions {
  SseServerOptions http;
  TopicOptions topic;
  StoreOptions store;
  std::chrono::nanoseconds tick = std::chrono::milliseconds(50);
  int producers = 200;
  double rate = 20;         // commands a second, simulated; 0: only those of people
  bool test_hooks = false;  // POST /admin/merge
};

// Everything but commits and simulated load is on the loop's thread.
class BoardServer final {
 public:
  // Listens when it returns. Throws Error that names the address or the file.
  BoardServer(boost::asio::io_context& loop, const BoardServerOptions& options);
  ~BoardServer();  // the loop does not run meanwhile

  Address address() const { return server_->address(); }
  std::optional<Address> tls_address() const { return server_->tls_address(); }

  // Ticks and load begin. Before the loop runs, or on its thread.
  void Start();
  // The load ends, nothing is accepted any more, and every stream is told to come back after a
  // time of its own in 0 to `spread` and closed. `done` comes on the loop's thread, after five
  // seconds at the latest.
  void Drain(std::chrono::milliseconds spread, std::function<void()> done);

 private:
  void ArmSecond();
  void OnSecond();
  void Submit(const Command& command,
              std::function<void(const Status&, std::int64_t count)> settle);

  boost::asio::io_context& loop_;
  const BoardServerOptions options_;
  Store store_;
  Board board_;
  // As committed; the writer's thread only.
  std::vector<std::int64_t> counts_;
  Committed committed_;
  Topic topic_;
  PageSite site_;
  // Streams are in the group until the server is gone: the destructor takes them down in order.
  std::unique_ptr<SseServer> server_;
  std::unique_ptr<StreamGroup> group_;
  std::unique_ptr<TickLoop> ticks_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Producers> producers_;
  Panel panel_;
  std::string event_;  // the board's newest and the panel
  boost::asio::steady_timer second_;
  boost::asio::steady_timer patience_;
};

}  // namespace rpcbench
