#include "measure/sockets.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace rpcbench {
namespace {

// Port of a socket name, in host order; 0 for what is not TCP over IP.
std::uint16_t PortOf(const sockaddr_storage& name) {
  if (name.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(name).sin_port);
  }
  if (name.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(name).sin6_port);
  }
  return 0;
}

int IntOption(int fd, int level, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return getsockopt(fd, level, option, &value, &size) == 0 ? value : -1;
}

bool IsConnectionOf(int fd, std::uint16_t port, Side side) {
  if (IntOption(fd, SOL_SOCKET, SO_TYPE) != SOCK_STREAM) return false;
  sockaddr_storage local{};
  sockaddr_storage peer{};
  socklen_t local_size = sizeof local;
  socklen_t peer_size = sizeof peer;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&local), &local_size) != 0) return false;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_size) != 0) return false;
  return PortOf(side == Side::kServer ? local : peer) == port;
}

std::vector<int> OwnDescriptors() {
  std::vector<int> descriptors;
  const auto close = [](DIR* d) { closedir(d); };
  const std::unique_ptr<DIR, decltype(close)> directory(opendir("/proc/self/fd"), close);
  if (!directory) return descriptors;
  while (const dirent* entry = readdir(directory.get())) {
    int fd = -1;
    const char* const end = entry->d_name + std::strlen(entry->d_name);
    if (std::from_chars(entry->d_name, end, fd).ec == std::errc{}) descriptors.push_back(fd);
  }
  return descriptors;
}

int CountEstablished(const char* table, std::uint16_t port) {
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);  // heading
  int established = 0;
  constexpr unsigned kEstablished = 1;
  while (std::getline(in, line)) {
    unsigned local_port = 0;
    unsigned state = 0;
    if (std::sscanf(line.c_str(), " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &local_port,
                    &state) == 2 &&
        local_port == port && state == kEstablished) {
      ++established;
    }
  }
  return established;
}

}  // namespace

SocketFacts OwnSockets(std::uint16_t port, Side side) {
  SocketFacts facts;
  for (const int fd : OwnDescriptors()) {
    if (!IsConnectionOf(fd, port, side)) continue;
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) continue;
    if (info.tcpi_state != 1) continue;  // TCP_ESTABLISHED
    ++facts.established;
    if (IntOption(fd, IPPROTO_TCP, TCP_NODELAY) != 1) ++facts.without_nodelay;
    facts.bytes_sent += info.tcpi_bytes_acked;
    facts.bytes_received += info.tcpi_bytes_received;
    facts.segments_sent += info.tcpi_segs_out;
    facts.segments_received += info.tcpi_segs_in;
  }
  return facts;
}

int EstablishedConnections(std::uint16_t port) {
  return CountEstablished("/proc/net/tcp", port) + CountEstablished("/proc/net/tcp6", port);
}

}  // namespace rpcbench
