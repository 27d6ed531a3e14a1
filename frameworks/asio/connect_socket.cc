#include <poll.h>

#include <cerrno>
#include <cstring>

#include "frameworks/asio/tcp_client.h"

namespace rpcbench {

using boost::asio::ip::tcp;

// A plain non-blocking connect and poll(2): set-up is not worth a handler chain, and poll has a
// deadline.
tcp::socket ConnectSocket(IoLoop& loop, const std::string& name, const Address& address,
                          std::chrono::nanoseconds timeout) {
  const auto fail = [&](const std::string& reason) {
    throw Error(name + ": cannot connect to " + ToString(address) + ": " + reason);
  };
  boost::system::error_code error;
  const auto host = boost::asio::ip::make_address(address.host, error);
  if (error) fail("not an IP address");
  tcp::socket socket(loop.context());
  const tcp::endpoint endpoint(host, address.port);
  socket.open(endpoint.protocol(), error);
  if (!error) socket.set_option(tcp::no_delay(true), error);
  if (!error) socket.non_blocking(true, error);
  if (error) fail(error.message());
  if (::connect(socket.native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) ==
      0) {
    return socket;
  }
  if (errno != EINPROGRESS) fail(std::strerror(errno));
  pollfd waiting{.fd = socket.native_handle(), .events = POLLOUT, .revents = 0};
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  if (::poll(&waiting, 1, static_cast<int>(ms)) != 1)
    fail("no answer in " + std::to_string(ms) + " ms");
  int reason = 0;
  socklen_t size = sizeof reason;
  ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_ERROR, &reason, &size);
  if (reason != 0) fail(std::strerror(reason));
  return socket;
}

}  // namespace rpcbench
