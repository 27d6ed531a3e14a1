// The server of both Thrift rows: TNonblockingServer, framed, with workers that sleep.
#pragma once

#include <memory>

#include "echo/hold_meter.h"
#include "echo/server.h"
#include "frameworks/thrift/wire.h"

namespace rpcbench {

// Listening, and every I/O thread in its loop, when this returns. Throws Error.
std::unique_ptr<EchoServer> StartThriftServer(ThriftWire wire, const ServerOptions& options,
                                              HoldMeter& meter);

}  // namespace rpcbench
