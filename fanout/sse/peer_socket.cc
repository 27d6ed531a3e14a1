#include "fanout/sse/peer_socket.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace rpcbench {

std::ptrdiff_t PeerSocket::SendTls(std::string_view bytes) {
  ERR_clear_error();
  errno = 0;
  std::size_t taken = 0;
  const int result = SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &taken);
  return result == 1 ? static_cast<std::ptrdiff_t>(taken) : FailedTls(result);
}

std::ptrdiff_t PeerSocket::ReceiveTls(char* to, std::size_t size) {
  ERR_clear_error();
  errno = 0;
  std::size_t got = 0;
  const int result = SSL_read_ex(tls_.get(), to, size, &got);
  return result == 1 ? static_cast<std::ptrdiff_t>(got) : FailedTls(result);
}

std::ptrdiff_t PeerSocket::FailedTls(int result) {
  const int failure = errno;
  switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      wanted_ = Wait::wait_read;
      return kBlocked;
    case SSL_ERROR_WANT_WRITE:
      wanted_ = Wait::wait_write;
      return kBlocked;
    default:  // after close_notify too: the session is of no more use
      error_ = failure;
      ERR_clear_error();
      return kOver;
  }
}

void PeerSocket::Finish() {
  // One try: a close_notify that does not fit is not worth a wait.
  if (tls_ && SSL_is_init_finished(tls_.get())) {
    ERR_clear_error();
    SSL_shutdown(tls_.get());
    ERR_clear_error();
  }
  boost::system::error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void PeerSocket::Close() {
  tls_.reset();
  boost::system::error_code ignored;
  socket_.close(ignored);
}

void PeerSocket::Abort() {
  boost::system::error_code ignored;
  socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  Close();
}

}  // namespace rpcbench
