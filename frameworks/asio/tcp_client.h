// EchoClients over Asio: connects, and brings each call to the loop that owns its connection.
#pragma once

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "echo/call_inbox.h"
#include "echo/call_table.h"
#include "echo/client.h"
#include "echo/error.h"
#include "frameworks/asio/io_loop.h"

namespace rpcbench {

// A Connection is the client's end of one connection of a protocol, made as
// Connection(tcp::socket, std::shared_ptr<CallTable>, ReplySink&) and kept by std::shared_ptr. It
// has
//   void Start();                                begins to read; on the loop's thread, as all that
//   follows void Call(CallId id, const Record& record);  starts a call, or settles it with kFailed
//   if closed; may only append void Flush();                                sends what Call
//   appended; called after a batch of calls void Close(Outcome outcome);                 closes the
//   socket and settles what is in flight; may be repeated
template <class Connection>
class TcpClient final : public EchoClient {
 public:
  TcpClient(std::shared_ptr<IoLoop> loop, std::shared_ptr<Connection> connection)
      : loop_(std::move(loop)), connection_(std::move(connection)) {
    loop_->RunAndWait([this] { connection_->Start(); });
  }

  ~TcpClient() override {
    loop_->RunAndWait([this] {
      Drain();
      connection_->Close(Outcome::kCancelled);
      // A wake-up that is still queued names this client: it must run before the client is gone.
    });
    loop_->RunAndWait([] {});
  }

  void Call(CallId id, const Record& record) override {
    if (loop_->OnThread()) {
      connection_->Call(id, record);
      if (!batching_) connection_->Flush();
    } else if (inbox_.Push(id, record)) {
      boost::asio::post(loop_->context(), [this] { Drain(); });
    }
  }

 private:
  void Drain() {
    inbox_.Take(arrived_);
    batching_ = true;
    for (const auto& call : arrived_) connection_->Call(call.id, *call.record);
    batching_ = false;
    connection_->Flush();
  }

  const std::shared_ptr<IoLoop> loop_;
  const std::shared_ptr<Connection> connection_;
  CallInbox inbox_;
  std::vector<CallInbox::Entry> arrived_;
  bool batching_ = false;
};

// A connected socket on `loop`, with TCP_NODELAY. Throws Error, after `timeout` at the latest.
boost::asio::ip::tcp::socket ConnectSocket(IoLoop& loop, const std::string& name,
                                           const Address& address,
                                           std::chrono::nanoseconds timeout);

// Framework::connect for a Connection that make(tcp::socket) returns by std::shared_ptr; a `make`
// that needs a handshake does it before it returns, and keeps its own deadline. `name` is for
// messages.
template <class Connection, class Make>
EchoClients ConnectTcpWith(const std::string& name, const Address& address,
                           const ClientOptions& options, const Make& make) {
  std::vector<std::shared_ptr<IoLoop>> loops;
  for (int i = 0; i < std::min(options.threads, options.connections); ++i) {
    loops.push_back(std::make_shared<IoLoop>());
  }
  EchoClients clients;
  for (int i = 0; i < options.connections; ++i) {
    const auto& loop = loops[static_cast<std::size_t>(i) % loops.size()];
    clients.push_back(std::make_unique<TcpClient<Connection>>(
        loop, make(ConnectSocket(*loop, name, address, options.connect_timeout))));
  }
  return clients;
}

// The same for a Connection made as its comment above says.
template <class Connection>
EchoClients ConnectTcp(const std::string& name, const Address& address,
                       const ClientOptions& options, ReplySink& sink) {
  const auto table = std::make_shared<CallTable>(options.call_limit);
  return ConnectTcpWith<Connection>(
      name, address, options, [&](boost::asio::ip::tcp::socket socket) {
        return std::make_shared<Connection>(std::move(socket), table, sink);
      });
}

}  // namespace rpcbench
