// A client of the server for tests: a blocking socket that can also misbehave. It never waits
// without an end.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "echo/client.h"

namespace rpcbench {

inline constexpr int kPeerDeadlineSeconds = 30;

class RawPeer final {
 public:
  enum class Link { kOpen, kFin, kReset };

  // Unconnected. A receive buffer of 0 is the kernel's choice.
  explicit RawPeer(int receive_buffer = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    EXPECT_GE(socket_, 0) << std::strerror(errno);
    const timeval deadline{.tv_sec = kPeerDeadlineSeconds, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &deadline, sizeof deadline);
    if (receive_buffer > 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
  }
  explicit RawPeer(const Address& address, int receive_buffer = 0) : RawPeer(receive_buffer) {
    Connect(address);
  }
  RawPeer(RawPeer&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        received_(std::move(other.received_)),
        link_(other.link_) {}
  ~RawPeer() { Leave(); }

  void Connect(const Address& address) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.host.c_str(), &name.sin_addr);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0) return;
    ASSERT_EQ(errno, ECONNRESET) << ToString(address) << ": " << std::strerror(errno);
    link_ = Link::kReset;  // accepted and refused before connect returned
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;  // the server closed it; what it said before can still be read
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  // Appends what comes next to received(); false if nothing more can come.
  bool Read() {
    if (link_ != Link::kOpen) return false;
    std::array<char, 16 << 10> bytes;
    const auto got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got > 0) {
      received_.append(bytes.data(), static_cast<std::size_t>(got));
      return true;
    }
    EXPECT_FALSE(got < 0 && errno == EAGAIN) << "nothing came in " << kPeerDeadlineSeconds << " s";
    link_ = got == 0 ? Link::kFin : Link::kReset;
    return false;
  }

  // Takes what came up to `mark`, mark included; fails the test if it does not come.
  std::string ReadThrough(std::string_view mark) {
    std::size_t at = 0;
    while ((at = received_.find(mark)) == std::string::npos) {
      if (Read()) continue;
      ADD_FAILURE() << "the connection ended before \"" << mark << "\": " << received_;
      return {};
    }
    std::string taken = received_.substr(0, at + mark.size());
    received_.erase(0, taken.size());
    return taken;
  }
  std::string ReadHead() { return ReadThrough("\r\n\r\n"); }

  // Takes all that comes until the server closes.
  std::string ReadToEnd() {
    while (Read()) {
    }
    return std::exchange(received_, {});
  }
  std::string TakeReceived() { return std::exchange(received_, {}); }
  Link link() const { return link_; }

  void HalfClose() { ::shutdown(socket_, SHUT_WR); }
  void Leave() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  void Reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    Leave();
  }

 private:
  int socket_;
  std::string received_;
  Link link_ = Link::kOpen;
};

}  // namespace rpcbench
