// A blocking socket with a deadline, for tests that send a server what no client of ours would.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

class RawClient final {
 public:
  explicit RawClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  }
  ~RawClient() { close(fd_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void Send(std::string_view bytes) {
    EXPECT_EQ(send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  void ShutdownSend() { shutdown(fd_, SHUT_WR); }

  // Reads until `count` times `mark` was received, or the server closed; returns all of it.
  std::string ReadUntil(std::string_view mark, int count = 1) {
    std::size_t from = 0;
    for (int seen = 0; seen < count;) {
      const auto at = received_.find(mark, from);
      if (at != std::string::npos) {
        ++seen;
        from = at + mark.size();
      } else if (!ReadSome()) {
        break;
      }
    }
    return received_;
  }

  // Reads until there are this many bytes, or the server closed.
  std::string ReadBytes(std::size_t count) {
    while (received_.size() < count && ReadSome()) {
    }
    return received_;
  }

  // Reads until the server closes. Fails if it does not.
  std::string ReadAll() {
    while (ReadSome()) {
    }
    EXPECT_TRUE(closed_) << "the server did not close";
    return received_;
  }

  void Forget() { received_.clear(); }

 private:
  bool ReadSome() {
    char bytes[4096];
    const ssize_t count = recv(fd_, bytes, sizeof bytes, 0);
    closed_ = count == 0;
    if (count > 0) received_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  const int fd_;
  bool closed_ = false;
  std::string received_;
};

}  // namespace rpcbench
