#include "frameworks/thrift/connection.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kFirstInput = 4096;  // bytes; holds any reply to a record of the suite

std::uint32_t LengthOf(const std::uint8_t* frame) {
  std::uint32_t length = 0;
  std::memcpy(&length, frame, sizeof length);
  return ntohl(length);
}

// Waits until the pending connect ends. 0 or the error number.
int AwaitConnect(int fd, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return ETIMEDOUT;
    pollfd wait{.fd = fd, .events = POLLOUT, .revents = 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(std::min<long>(left.count(), 1 << 30)));
    if (ready < 0 && errno != EINTR) return errno;
    if (ready <= 0) continue;
    int problem = 0;
    socklen_t size = sizeof problem;
    if (::getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) return errno;
    return problem;
  }
}

}  // namespace

void Descriptor::Close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Descriptor DialThrift(const Address& address, std::chrono::nanoseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const auto fail = [&](const std::string& why) {
    return Error(
        "thrift: cannot connect to " + ToString(address) + " within " +
        std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count()) +
        " ms: " + why);
  };
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int code =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (code != 0) throw fail(::gai_strerror(code));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, &::freeaddrinfo);
  int problem = 0;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    Descriptor socket(::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (socket.get() < 0 ||
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
      problem = errno;
      continue;
    }
    problem = ::connect(socket.get(), one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS) problem = AwaitConnect(socket.get(), deadline);
    if (problem == 0) return socket;
  }
  throw fail(std::strerror(problem));
}

ThriftConnection::ThriftConnection(Descriptor socket, ThriftCodec& codec, ReplySink& sink)
    : socket_(std::move(socket)), codec_(codec), sink_(sink), input_(kFirstInput) {}

void ThriftConnection::Pump() {
  if (fd() < 0) return SettleWaiting(Outcome::kFailed);
  if (in_flight_ || waiting_.empty()) return;
  const Waiting next = waiting_.front();
  waiting_.pop_front();
  in_flight_ = next.id;
  const auto frame = codec_.Encode(++sequence_, *next.record);
  const ssize_t sent = ::send(fd(), frame.data(), frame.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) return Close(Outcome::kFailed);
  const auto done = static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
  if (done == frame.size()) return;
  unsent_.assign(frame.begin() + static_cast<std::ptrdiff_t>(done), frame.end());
  sent_ = 0;
  if (sent < 0 && errno == EINTR) Flush();
}

void ThriftConnection::OnReady(bool hung_up) {
  if (fd() >= 0 && !unsent_.empty()) Flush();
  while (fd() >= 0 && ReadSome(hung_up)) {
  }
}

// Sends what is left of a frame, as far as the socket takes it.
void ThriftConnection::Flush() {
  while (sent_ < unsent_.size()) {
    const ssize_t sent = ::send(fd(), unsent_.data() + sent_, unsent_.size() - sent_, MSG_NOSIGNAL);
    if (sent >= 0) {
      sent_ += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      return Close(Outcome::kFailed);
    }
  }
  unsent_.clear();
}

// True if there may be more to read. After a short read there is not, unless the peer hung up: then
// the end has to be read too, as no further edge comes for it.
bool ThriftConnection::ReadSome(bool hung_up) {
  const std::size_t space = input_.size() - received_;
  const ssize_t size = ::recv(fd(), input_.data() + received_, space, 0);
  if (size < 0 && errno == EINTR) return true;
  if (size < 0 && errno == EAGAIN) return false;
  if (size <= 0) {
    Close(Outcome::kFailed);
    return false;
  }
  received_ += static_cast<std::size_t>(size);
  if (!TakeFrame()) {
    Close(Outcome::kFailed);
    return false;
  }
  return hung_up || static_cast<std::size_t>(size) == space;
}

// Delivers the reply if it is there whole. False if the peer broke the protocol: with one call in
// flight there is one frame at most, and its length is bounded.
bool ThriftConnection::TakeFrame() {
  if (!in_flight_) return false;
  if (received_ < kLengthBytes) return true;
  const std::uint32_t length = LengthOf(input_.data());
  if (length == 0 || length > kMaxThriftFrame) return false;
  const std::size_t whole = kLengthBytes + length;
  if (received_ < whole) {
    if (input_.size() < whole) input_.resize(whole);
    return true;
  }
  RecordView reply;
  if (received_ > whole || !codec_.Decode({input_.data() + kLengthBytes, length}, sequence_, reply))
    return false;
  received_ = 0;
  const CallId id = *in_flight_;
  in_flight_.reset();
  sink_.OnReply(id, Outcome::kOk, reply);
  return true;
}

void ThriftConnection::Cancel() {
  Close(Outcome::kCancelled);
}

void ThriftConnection::Close(Outcome outcome) {
  socket_.Close();
  unsent_.clear();
  if (const auto id = std::exchange(in_flight_, std::nullopt)) sink_.OnReply(*id, outcome, {});
  SettleWaiting(outcome);
}

// Only those that wait now: a sink that calls again at every failure must not hold up the loop.
void ThriftConnection::SettleWaiting(Outcome outcome) {
  for (std::size_t left = waiting_.size(); left > 0 && !waiting_.empty(); --left) {
    const CallId id = waiting_.front().id;
    waiting_.pop_front();
    sink_.OnReply(id, outcome, {});
  }
}

}  // namespace rpcbench
