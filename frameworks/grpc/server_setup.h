// What both gRPC servers do alike to listen and to tell time.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>

#include "echo/client.h"

namespace rpcbench {

struct GrpcListener {
  std::unique_ptr<grpc::Server> server;
  Address address;  // with the port that was chosen
};

// Builds the server and listens at `listen`, on a port that no other process shares. Throws Error
// that names the address.
GrpcListener ListenGrpc(grpc::ServerBuilder& builder, const Address& listen);

// steady_clock as gRPC's monotonic clock, which it needs not convert.
gpr_timespec ToGrpcTime(std::chrono::steady_clock::time_point time);

}  // namespace rpcbench
