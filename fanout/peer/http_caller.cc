#include "fanout/peer/http_caller.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "echo/error.h"
#include "fanout/load/answer_head.h"

namespace rpcbench {

using Clock = std::chrono::steady_clock;

HttpCaller::HttpCaller(const Address& server, std::chrono::nanoseconds patience)
    : server_(server), patience_(patience) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(server.port);
  if (inet_pton(AF_INET, server.host.c_str(), &to.sin_addr) != 1) Fail("no IPv4 address");
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd_ < 0) Fail(std::strerror(errno));
  // Loopback answers a connect at once, with yes or no; the reads and writes have the deadline.
  if (connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    const int reason = errno;
    close(fd_);
    Fail(std::strerror(reason));
  }
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

HttpCaller::~HttpCaller() {
  close(fd_);
}

HttpAnswer HttpCaller::Call(std::string_view method, std::string_view path, std::string_view body) {
  const auto deadline = Clock::now() + patience_;
  Send(fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Type: text/plain\r\n"
                   "Content-Length: {}\r\n\r\n{}",
                   method, path, ToString(server_), body.size(), body),
       deadline);
  AnswerHeadReader reader;
  HttpAnswer answer;
  for (;;) {
    const std::string received = Receive(deadline);
    std::string_view bytes = received;
    const auto head = reader.Feed(bytes);
    if (!head) continue;
    if (!head->content_length) Fail("an answer without Content-Length");
    answer.status = head->status;
    answer.body = bytes;
    while (answer.body.size() < *head->content_length) answer.body += Receive(deadline);
    return answer;
  }
}

void HttpCaller::Send(std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    Await(POLLOUT, deadline);
    const ssize_t size = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno != EAGAIN && errno != EINTR) Fail(std::strerror(errno));
    if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
  }
}

std::string HttpCaller::Receive(Clock::time_point deadline) {
  char bytes[4096];
  for (;;) {
    Await(POLLIN, deadline);
    const ssize_t size = recv(fd_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size > 0) return std::string(bytes, static_cast<std::size_t>(size));
    if (size == 0) Fail("the connection was closed");
    if (errno != EAGAIN && errno != EINTR) Fail(std::strerror(errno));
  }
}

void HttpCaller::Await(short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd waiting{.fd = fd_, .events = events, .revents = 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready > 0) return;
    if (ready < 0 && errno == EINTR) continue;
    Fail(ready == 0 ? "no answer in time" : std::strerror(errno));
  }
}

void HttpCaller::Fail(const std::string& why) const {
  throw Error("http://" + ToString(server_) + ": " + why);
}

}  // namespace rpcbench
