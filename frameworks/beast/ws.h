// The WebSocket row: binary messages, each an envelope of a call id and a record, over Beast's
// websocket::stream. Nothing here includes Beast, whose headers take long to compile.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "echo/client.h"
#include "echo/hold_meter.h"
#include "echo/server.h"

namespace rpcbench {

struct WsLimits {
  std::size_t message = 64 * 1024;  // bytes; a longer one closes the connection with 1009
  // Bytes of requests and replies that one connection may have waiting; past it the connection is
  // not read until half of them are gone.
  std::size_t queued = std::size_t{512} << 20;
  // How long a connection may go without a whole frame or a sent reply while no request is held; it
  // is closed after at most a quarter more. The handshake has as long.
  std::chrono::nanoseconds silence = std::chrono::seconds(30);
};

// Throws Error where it cannot listen.
std::unique_ptr<EchoServer> StartWsServer(const std::string& name, const ServerOptions& options,
                                          HoldMeter& meter, const WsLimits& limits = {});

// Framework::connect of this row; each client has done its handshake.
EchoClients ConnectWs(const std::string& name, const Address& address, const ClientOptions& options,
                      ReplySink& sink);

}  // namespace rpcbench
