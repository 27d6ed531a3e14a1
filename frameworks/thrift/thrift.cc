// Apache Thrift 0.17: framed binary and framed compact. The two rows differ in the protocol only.
// No stock C++ server works on more than one request of a connection, so a connection carries one
// call at a time: the head-of-line rows.
#include <thrift/Thrift.h>
#include <thrift/config.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "echo/framework.h"
#include "frameworks/thrift/client.h"
#include "frameworks/thrift/server.h"
#include "frameworks/thrift/wire.h"

namespace rpcbench {
namespace {

// Thrift reports everything to one function, without a level: what its server is about to do, what
// its peers did wrong, and what really failed. The first two are dropped by these words; what ends
// in an Error is not said twice.
void PrintFailuresOnly(const char* message) {
  constexpr std::array<std::string_view, 17> kNoise = {
      "Serving with",
      "using libevent",
      "registered for",
      "entering loop",
      "run() done",
      "join done",
      "client died",
      "frame size too",
      "process()",
      "TConnection::workSocket()",
      "notifyIOThread failed on fresh connection",  // start-up waits until it no longer happens
      "TSocket::read()",
      "TSocket::write_partial()",
      "TSocket::peek()",
      "TSocket::open()",
      "TNonblockingServerSocket::listen()",
      "getaddrinfo",
  };
  const std::string_view text(message);
  const bool noise = std::any_of(kNoise.begin(), kNoise.end(), [&](std::string_view words) {
    return text.find(words) != std::string_view::npos;
  });
  if (!noise) std::fprintf(stderr, "thrift: %s\n", message);
}

Framework MakeRow(ThriftWire wire, const char* name, const char* label, const char* codec) {
  Framework row;
  row.name = name;
  row.label = label;
  row.version = PACKAGE_VERSION;
  row.settings =
      "TNonblockingServer, framed, frames to 1 MiB; a delay is slept by a worker thread a "
      "connection (at least 16), never by a timer; with no delay handlers run in the I/O threads; "
      "the client polls its connections with one thread over the generated types";
  row.traits = {.transport = "tcp", .codec = codec, .carries = Carries::kOne};
  row.start_server = [wire](const ServerOptions& options, HoldMeter& meter) {
    return StartThriftServer(wire, options, meter);
  };
  row.connect = [wire](const Address& address, const ClientOptions& options, ReplySink& sink) {
    return ConnectThrift(wire, address, options, sink);
  };
  return row;
}

}  // namespace

std::vector<Framework> ThriftFrameworks() {
  apache::thrift::GlobalOutput.setOutputFunction(&PrintFailuresOnly);
  return {MakeRow(ThriftWire::kBinary, "thrift_tcp_binary", "Thrift binary", "binary"),
          MakeRow(ThriftWire::kCompact, "thrift_tcp_compact", "Thrift compact", "compact")};
}

}  // namespace rpcbench
