// A server for tests that says exactly the bytes it is told to, on the loop of the client.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

namespace rpcbench {

class ScriptedServer final {
 public:
  using tcp = boost::asio::ip::tcp;

  explicit ScriptedServer(boost::asio::io_context& loop) : acceptor_(loop) { Listen(); }

  // Of the next connection that has none yet: each piece is a write, then it is closed or held.
  void Say(std::vector<std::string> pieces) { scripts_.push_back({std::move(pieces), false}); }
  void SayAndHold(std::vector<std::string> pieces) {
    scripts_.push_back({std::move(pieces), true});
  }

  // Connections are refused from Refuse to Listen.
  void Refuse() { acceptor_.close(); }
  void Listen() {
    const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), port_);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    Accept();
  }

  std::string Url(const std::string& target = "/stream") const {
    return "http://127.0.0.1:" + std::to_string(port_) + target;
  }
  const std::vector<std::string>& requests() const { return requests_; }

 private:
  struct Script {
    std::vector<std::string> pieces;
    bool hold = false;
  };
  struct Peer {
    tcp::socket socket;
    Script script;
    std::string request = {};
    std::size_t said = 0;
  };

  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
      if (failed) return;
      socket.set_option(tcp::no_delay(true));
      // Without a script a connection is closed as soon as it asked.
      const Script script = accepted_ < scripts_.size() ? scripts_[accepted_] : Script{};
      ++accepted_;
      Read(std::make_shared<Peer>(Peer{std::move(socket), script}));
      Accept();
    });
  }

  void Read(const std::shared_ptr<Peer>& peer) {
    boost::asio::async_read_until(peer->socket, boost::asio::dynamic_buffer(peer->request),
                                  "\r\n\r\n",
                                  [this, peer](boost::system::error_code failed, std::size_t) {
                                    if (failed) return;
                                    requests_.push_back(peer->request);
                                    Write(peer);
                                  });
  }

  void Write(const std::shared_ptr<Peer>& peer) {
    if (peer->said == peer->script.pieces.size()) {
      if (peer->script.hold) held_.push_back(peer);
      return;  // the last reference closes the socket
    }
    const std::string& piece = peer->script.pieces[peer->said++];
    boost::asio::async_write(peer->socket, boost::asio::buffer(piece),
                             [this, peer](boost::system::error_code failed, std::size_t) {
                               if (!failed) Write(peer);
                             });
  }

  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::vector<Script> scripts_;
  std::size_t accepted_ = 0;
  std::vector<std::string> requests_;
  std::vector<std::shared_ptr<Peer>> held_;
};

}  // namespace rpcbench
