// The client of both rows.
#pragma once

#include "echo/client.h"
#include "frameworks/capnp/link.h"

namespace rpcbench {

// As Framework::connect: the server has answered on each connection when this returns.
EchoClients ConnectCapnp(CapnpWrites writes, const Address& address, const ClientOptions& options,
                         ReplySink& sink);

}  // namespace rpcbench
