#include "measure/sockets.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace rpcbench {
namespace {

// A listener on loopback with one connection to it.
class SocketsTest : public testing::Test {
 protected:
  void SetUp() override {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    ASSERT_EQ(listen(listener_, 4), 0);
    socklen_t size = sizeof name;
    ASSERT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&name), &size), 0);
    port_ = ntohs(name.sin_port);
    client_ = socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(connect(client_, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    server_ = accept(listener_, nullptr, nullptr);
    ASSERT_GE(server_, 0);
  }

  void TearDown() override {
    for (const int fd : {listener_, client_, server_}) close(fd);
  }

  int listener_ = -1;
  int client_ = -1;
  int server_ = -1;
  std::uint16_t port_ = 0;
};

TEST_F(SocketsTest, CountsConnectionsAndNotTheListener) {
  EXPECT_EQ(EstablishedConnections(port_), 1);
  EXPECT_EQ(OwnSockets(port_, Side::kClient).established, 1);
  EXPECT_EQ(OwnSockets(port_, Side::kServer).established, 1);
  close(client_);
  client_ = -1;
  EXPECT_EQ(EstablishedConnections(port_), 0);
  EXPECT_EQ(OwnSockets(port_, Side::kClient).established, 0);
}

TEST_F(SocketsTest, ReadsNodelayBack) {
  EXPECT_EQ(OwnSockets(port_, Side::kClient).without_nodelay, 1) << "Nagle is on by default";
  const int on = 1;
  ASSERT_EQ(setsockopt(client_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
  EXPECT_EQ(OwnSockets(port_, Side::kClient).without_nodelay, 0);
  EXPECT_EQ(OwnSockets(port_, Side::kServer).without_nodelay, 1);
}

TEST_F(SocketsTest, CountsBytesOnTheWire) {
  ASSERT_EQ(send(client_, "hello", 5, 0), 5);
  char sink[8];
  ASSERT_EQ(recv(server_, sink, sizeof sink, 0), 5);
  EXPECT_EQ(OwnSockets(port_, Side::kServer).bytes_received, 5u);
}

}  // namespace
}  // namespace rpcbench
