// An EchoServer over Asio: one acceptor, sessions dealt to the loops in turn.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "echo/error.h"
#include "echo/server.h"
#include "frameworks/asio/server_loop.h"

namespace rpcbench {

// See ServerLoop for what a Session is; it is made as Session(tcp::socket, ServerLoop<Session>&),
// or by what is passed in.
template <class Session>
class TcpServer final : public EchoServer {
 public:
  using tcp = boost::asio::ip::tcp;
  using Make = std::function<std::shared_ptr<Session>(tcp::socket, ServerLoop<Session>&)>;

  static std::shared_ptr<Session> MakeSession(tcp::socket socket, ServerLoop<Session>& loop) {
    return std::make_shared<Session>(std::move(socket), loop);
  }

  // `name` is for messages; `make` is called on the session's loop.
  TcpServer(const std::string& name, const ServerOptions& options, HoldMeter& meter,
            Make make = &MakeSession)
      : make_(std::move(make)) {
    for (int i = 0; i < options.threads; ++i) {
      loops_.push_back(std::make_unique<ServerLoop<Session>>(options, meter));
    }
    acceptor_ = std::make_unique<tcp::acceptor>(loops_[0]->io().context());
    boost::system::error_code error;
    const auto host = boost::asio::ip::make_address(options.listen.host, error);
    const tcp::endpoint endpoint(host, options.listen.port);
    if (!error) acceptor_->open(endpoint.protocol(), error);
    if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_->bind(endpoint, error);
    if (!error) acceptor_->listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
      throw Error(name + ": cannot listen on " + ToString(options.listen) + ": " + error.message());
    }
    address_ = {options.listen.host, acceptor_->local_endpoint().port()};
    boost::asio::post(loops_[0]->io().context(), [this] { Accept(); });
  }

  ~TcpServer() override { Stop(); }

  Address address() const override { return address_; }

  void Stop() override {
    if (stopped_) return;
    stopped_ = true;
    loops_[0]->io().RunAndWait([this] { acceptor_->close(); });
    for (auto& loop : loops_) loop->io().RunAndWait([&] { loop->CloseAll(); });
    for (auto& loop : loops_) loop->io().Join();
    acceptor_.reset();
    // The loops stay until the destructor: handlers that never ran still name them.
  }

 private:
  void Accept() {
    auto& loop = *loops_[next_loop_++ % loops_.size()];
    acceptor_->async_accept(loop.io().context(), [this, &loop](boost::system::error_code error,
                                                               tcp::socket socket) {
      if (error == boost::asio::error::operation_aborted) return;
      if (!error) socket.set_option(tcp::no_delay(true), error);
      if (!error) {
        boost::asio::post(loop.io().context(), [this, &loop, peer = std::move(socket)]() mutable {
          loop.Add(make_(std::move(peer), loop));
        });
      }
      if (acceptor_->is_open()) Accept();
    });
  }

  const Make make_;
  std::vector<std::unique_ptr<ServerLoop<Session>>> loops_;
  std::unique_ptr<tcp::acceptor> acceptor_;
  Address address_;
  std::size_t next_loop_ = 0;
  bool stopped_ = false;
};

}  // namespace rpcbench
