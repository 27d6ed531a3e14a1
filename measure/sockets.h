// What the kernel says about a server's connections, asked from outside the adapters.
#pragma once

#include <cstdint>

namespace rpcbench {

enum class Side { kClient, kServer };

struct SocketFacts {
  int established = 0;           // TCP connections of this process on that side of the port
  int without_nodelay = 0;       // of these, how many read back TCP_NODELAY as off
  std::uint64_t bytes_sent = 0;  // acknowledged payload, TCP_INFO, since each was opened
  std::uint64_t bytes_received = 0;
  std::uint64_t segments_sent = 0;
  std::uint64_t segments_received = 0;
};

// Looks at every descriptor of this process: sockets whose peer port (client) or local port
// (server) is `port`, listeners left out. A descriptor that closes meanwhile is passed over.
SocketFacts OwnSockets(std::uint16_t port, Side side);

// Established connections whose local port is `port`, in the whole network namespace, from
// /proc/net/tcp and tcp6: the count that no adapter can embellish.
int EstablishedConnections(std::uint16_t port);

}  // namespace rpcbench
