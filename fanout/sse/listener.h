// Listens on an address and accepts what comes, many at once and also when there are no
// descriptors left.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "echo/client.h"
#include "fanout/sse/peer_socket.h"

namespace rpcbench {

// What accepted sockets inherit, so that it costs no call for each; TCP_NODELAY is on.
struct SocketSettings {
  std::chrono::milliseconds user_timeout{0};  // TCP_USER_TIMEOUT; 0: the kernel's
  std::size_t send_buffer = 0;                // SO_SNDBUF; 0: the kernel's
};

// Loop thread, but for the constructor.
class Listener final : public std::enable_shared_from_this<Listener> {
 public:
  using Accepted = std::function<void(PeerSocket::Socket socket)>;
  using Refused = std::function<void()>;  // a connection was closed at once for want of descriptors

  // Bound and listening. Throws Error that names the address.
  Listener(boost::asio::io_context& loop, const Address& address, const SocketSettings& settings);
  ~Listener();

  Address address() const { return address_; }
  // Once; nothing is called after Close.
  void Start(Accepted accepted, Refused refused);
  void Close();

 private:
  enum class Next { kMore, kEmpty, kPause };

  void Wait();
  void Pause();
  void AcceptAll();
  Next AcceptOne();
  Next RefuseOne();

  boost::asio::io_context& loop_;
  boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>
      acceptor_;
  boost::asio::ip::tcp protocol_ = boost::asio::ip::tcp::v4();
  boost::asio::steady_timer pause_;
  Address address_;
  Accepted accepted_;
  Refused refused_;
  int spare_ = -1;  // a descriptor that is given up to refuse a connection when there are no others
};

}  // namespace rpcbench
