// The HTTP/1.1 rows: the Connect unary protocol (POST /rpcbench.Echo/Echo) over Beast's parser.
// Nothing here includes Beast, whose headers take long to compile.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "echo/client.h"
#include "echo/hold_meter.h"
#include "echo/server.h"

namespace rpcbench {

struct HttpLimits {
  std::size_t header = 8 * 1024;  // bytes of a request line and its header fields
  std::size_t body = 64 * 1024;   // bytes
  // Bytes of requests and replies that one connection may have waiting; past it the connection is
  // not read until half of them are gone. 100,000 calls of the longest record take 160 MiB.
  std::size_t queued = std::size_t{512} << 20;
  // How long a connection may go without a whole request or a sent reply while none is held; it is
  // closed after at most a quarter more.
  std::chrono::nanoseconds silence = std::chrono::seconds(30);
};

// Serves protobuf and JSON alike, whatever row asks. Throws Error where it cannot listen.
std::unique_ptr<EchoServer> StartHttpServer(const std::string& name, const ServerOptions& options,
                                            HoldMeter& meter, const HttpLimits& limits = {});

enum class HttpCodec { kProtobuf, kJson };

struct HttpCalls {
  HttpCodec codec = HttpCodec::kProtobuf;
  bool pipelined = false;  // else the next request leaves when the reply before it is there
};

// Framework::connect of these rows.
EchoClients ConnectHttp(const std::string& name, const HttpCalls& calls, const Address& address,
                        const ClientOptions& options, ReplySink& sink);

}  // namespace rpcbench
