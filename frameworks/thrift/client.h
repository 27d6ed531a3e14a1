// The client of both Thrift rows: one call in flight a connection, many connections a thread.
#pragma once

#include "echo/client.h"
#include "frameworks/thrift/wire.h"

namespace rpcbench {

// As Framework::connect.
EchoClients ConnectThrift(ThriftWire wire, const Address& address, const ClientOptions& options,
                          ReplySink& sink);

}  // namespace rpcbench
