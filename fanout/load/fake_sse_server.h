// For tests: an HTTP server on loopback that says exactly what a test tells it to, when it does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "echo/client.h"

namespace rpcbench {

// Nothing happens between calls, and no call waits. One thread.
class FakeSseServer final {
 public:
  FakeSseServer();
  ~FakeSseServer();
  FakeSseServer(const FakeSseServer&) = delete;
  FakeSseServer& operator=(const FakeSseServer&) = delete;

  Address address() const { return {"127.0.0.1", port_}; }

  // Accepts who knocked and reads what they sent.
  void Step();
  // Connections whose whole request was read, also of those that were closed.
  std::size_t requests() const { return requests_.size(); }
  const std::string& request(std::size_t index) const { return requests_[index].text; }

  // To the connection of that request, or to all that are open.
  void Send(std::size_t index, std::string_view bytes);
  void SendAll(std::string_view bytes);
  void CloseAll();

 private:
  struct Request {
    int fd;
    std::string text;
  };

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::vector<Request> arriving_;
  std::vector<Request> requests_;
};

inline std::string StreamHead(const std::string& coding) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: " + coding +
         "\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string ChunkOf(std::string_view body);

}  // namespace rpcbench
