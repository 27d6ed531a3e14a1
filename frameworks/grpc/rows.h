// What the two gRPC rows are made of: two servers and one client. For grpc.cc and its test only.
#pragma once

#include <memory>

#include "echo/client.h"
#include "echo/hold_meter.h"
#include "echo/server.h"

namespace rpcbench {

// Completion queues, one thread each. Throws Error if it cannot listen.
std::unique_ptr<EchoServer> StartGrpcQueueServer(const ServerOptions& options, HoldMeter& meter);

// The callback service on gRPC's own threads. Throws Error if it cannot listen.
std::unique_ptr<EchoServer> StartGrpcCallbackServer(const ServerOptions& options, HoldMeter& meter);

// One channel and so one TCP connection a client. Throws Error if one cannot be established in
// time.
EchoClients ConnectGrpc(const Address& address, const ClientOptions& options, ReplySink& sink);

}  // namespace rpcbench
