#include "fanout/sse/listener.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

using boost::asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr int kBacklog = 65535;  // the kernel lowers it to net.core.somaxconn
constexpr int kAcceptsATurn = 256;
constexpr std::chrono::milliseconds kPauseFor{50};

int OpenSpare() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// Closes with RST, so that nothing of the connection is left here.
void Refuse(int descriptor) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(descriptor);
}

}  // namespace

Listener::Listener(boost::asio::io_context& loop, const Address& address,
                   const SocketSettings& settings)
    : loop_(loop), acceptor_(loop.get_executor()), pause_(loop), spare_(OpenSpare()) {
  namespace option = boost::asio::detail::socket_option;
  ErrorCode error;
  const auto host = boost::asio::ip::make_address(address.host, error);
  const tcp::endpoint endpoint(host, address.port);
  protocol_ = endpoint.protocol();
  if (!error) acceptor_.open(protocol_, error);
  if (!error) ::fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
  if (!error) acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.set_option(tcp::no_delay(true), error);
  if (!error && settings.user_timeout.count() > 0) {
    using UserTimeout = option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
    acceptor_.set_option(UserTimeout(static_cast<int>(settings.user_timeout.count())), error);
  }
  if (!error && settings.send_buffer > 0) {
    const auto size = static_cast<int>(settings.send_buffer);
    acceptor_.set_option(boost::asio::socket_base::send_buffer_size(size), error);
  }
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(kBacklog, error);
  if (!error) acceptor_.native_non_blocking(true, error);
  if (error) {
    if (spare_ >= 0) ::close(spare_);
    throw Error("cannot listen on " + ToString(address) + ": " + error.message());
  }
  address_ = {address.host, acceptor_.local_endpoint().port()};
}

Listener::~Listener() {
  Close();
}

void Listener::Close() {
  ErrorCode ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  if (spare_ >= 0) ::close(std::exchange(spare_, -1));
}

void Listener::Start(Accepted accepted, Refused refused) {
  accepted_ = std::move(accepted);
  refused_ = std::move(refused);
  Wait();
}

void Listener::Wait() {
  acceptor_.async_wait(boost::asio::socket_base::wait_read,
                       [self = shared_from_this()](const ErrorCode& error) {
                         if (!error && self->acceptor_.is_open()) self->AcceptAll();
                       });
}

// Until descriptors come free: what waits stays in the kernel's queue, and the loop does not spin.
void Listener::Pause() {
  pause_.expires_after(kPauseFor);
  pause_.async_wait([self = shared_from_this()](const ErrorCode& error) {
    if (!error && self->acceptor_.is_open()) self->AcceptAll();
  });
}

void Listener::AcceptAll() {
  for (int i = 0; i < kAcceptsATurn; ++i) {
    const Next next = AcceptOne();
    if (!acceptor_.is_open()) return;  // closed by what was called
    if (next == Next::kPause) return Pause();
    if (next == Next::kEmpty) break;
  }
  Wait();
}

Listener::Next Listener::AcceptOne() {
  const int descriptor =
      ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor >= 0) {
    PeerSocket::Socket socket(loop_.get_executor());
    ErrorCode error;
    socket.assign(protocol_, descriptor, error);
    if (error) {
      Refuse(descriptor);
      refused_();
    } else {
      accepted_(std::move(socket));
    }
    return Next::kMore;
  }
  switch (errno) {
    case EAGAIN:
      return Next::kEmpty;
    case EMFILE:
    case ENFILE:
      return RefuseOne();
    case ENOBUFS:
    case ENOMEM:
      return Next::kPause;
    default:  // of the one connection, which left again
      return Next::kMore;
  }
}

Listener::Next Listener::RefuseOne() {
  if (spare_ >= 0) ::close(std::exchange(spare_, -1));
  const int descriptor = ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
  const int reason = errno;
  if (descriptor >= 0) {
    Refuse(descriptor);
    refused_();
  }
  spare_ = OpenSpare();
  if (descriptor >= 0) return spare_ >= 0 ? Next::kMore : Next::kPause;
  return reason == EAGAIN ? Next::kEmpty : Next::kPause;
}

}  // namespace rpcbench
