// The server of both rows.
#pragma once

#include <memory>

#include "echo/hold_meter.h"
#include "echo/server.h"
#include "frameworks/capnp/link.h"

namespace rpcbench {

// options.threads event loops; the first one listens and deals connections out in turn.
std::unique_ptr<EchoServer> StartCapnpServer(CapnpWrites writes, const ServerOptions& options,
                                             HoldMeter& meter);

}  // namespace rpcbench
