// A connected TCP socket, bare or under TLS, that never waits: what cannot be done now can be tried
// again once WhenReady says so.
#pragma once

#include <sys/socket.h>

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "fanout/sse/tls.h"

namespace rpcbench {

// One thread. Destroyed like Close.
class PeerSocket final {
 public:
  // The concrete executor: the default one, of any type, is larger and called through a pointer.
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp,
                                                  boost::asio::io_context::executor_type>;
  using Wait = boost::asio::socket_base::wait_type;

  // What Send and Receive return instead of a number of bytes.
  static constexpr std::ptrdiff_t kBlocked = 0;  // nothing now; see wanted()
  static constexpr std::ptrdiff_t kOver = -1;    // end of input, or the connection is broken

  PeerSocket(Socket socket, TlsSession tls) : socket_(std::move(socket)), tls_(std::move(tls)) {}

  // `bytes` is not empty. After kBlocked the next call is for the same bytes, wherever they lie.
  std::ptrdiff_t Send(std::string_view bytes) {
    if (tls_) return SendTls(bytes);
    const auto sent =
        ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent > 0 ? sent : Failed(Wait::wait_write);
  }

  std::ptrdiff_t Receive(char* to, std::size_t size) {
    if (tls_) return ReceiveTls(to, size);
    const auto got = ::recv(socket_.native_handle(), to, size, MSG_DONTWAIT);
    if (got == 0) return kOver;
    return got > 0 ? got : Failed(Wait::wait_read);
  }

  // What the last call that was blocked waits for. Under TLS a read may want to write.
  Wait wanted() const { return wanted_; }
  // The kernel gave the connection up: the peer took nothing for the write deadline.
  bool timed_out() const { return error_ == ETIMEDOUT; }

  // handler(error_code) once, on the loop; with operation_aborted after Close.
  template <class Handler>
  void WhenReady(Wait wait, Handler handler) {
    socket_.async_wait(wait, std::move(handler));
  }

  // Nothing is sent after it: what was taken still leaves, then FIN.
  void Finish();
  void Close();
  // Like Close, but with RST: what the kernel still has for the peer is thrown away.
  void Abort();

 private:
  std::ptrdiff_t Failed(Wait wait) {
    wanted_ = wait;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return kBlocked;
    error_ = errno;
    return kOver;
  }

  std::ptrdiff_t SendTls(std::string_view bytes);
  std::ptrdiff_t ReceiveTls(char* to, std::size_t size);
  std::ptrdiff_t FailedTls(int result);

  Socket socket_;
  TlsSession tls_;
  Wait wanted_ = Wait::wait_read;
  int error_ = 0;
};

}  // namespace rpcbench
