#include "fanout/load/fake_sse_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "echo/error.h"

namespace rpcbench {

FakeSseServer::FakeSseServer() {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  auto* const address = reinterpret_cast<sockaddr*>(&name);
  if (bind(listener_, address, sizeof name) != 0 || listen(listener_, 1024) != 0 ||
      getsockname(listener_, address, &size) != 0) {
    throw Error("the scripted server cannot listen");
  }
  port_ = ntohs(name.sin_port);
}

FakeSseServer::~FakeSseServer() {
  CloseAll();
  for (const Request& request : arriving_) close(request.fd);
  close(listener_);
}

void FakeSseServer::Step() {
  for (;;) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) break;
    arriving_.push_back({fd, ""});
  }
  for (std::size_t i = 0; i < arriving_.size();) {
    char bytes[4096];
    const ssize_t size = recv(arriving_[i].fd, bytes, sizeof bytes, 0);
    if (size > 0) arriving_[i].text.append(bytes, static_cast<std::size_t>(size));
    if (arriving_[i].text.find("\r\n\r\n") == std::string::npos) {
      ++i;
      continue;
    }
    requests_.push_back(arriving_[i]);
    arriving_.erase(arriving_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void FakeSseServer::Send(std::size_t index, std::string_view bytes) {
  const int fd = requests_[index].fd;
  if (fd < 0) return;
  const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(bytes.size())) throw Error("a script is too long for a socket");
}

void FakeSseServer::SendAll(std::string_view bytes) {
  for (std::size_t i = 0; i < requests_.size(); ++i) Send(i, bytes);
}

void FakeSseServer::CloseAll() {
  for (Request& request : requests_) {
    if (request.fd >= 0) close(request.fd);
    request.fd = -1;
  }
}

std::string ChunkOf(std::string_view body) {
  return fmt::format("{:x}\r\n{}\r\n", body.size(), body);
}

}  // namespace rpcbench
