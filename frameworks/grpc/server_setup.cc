// See server_setup.h.
#include "frameworks/grpc/server_setup.h"

#include "echo/error.h"

namespace rpcbench {

GrpcListener ListenGrpc(grpc::ServerBuilder& builder, const Address& listen) {
  int port = 0;
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddListeningPort(ToString(listen), grpc::InsecureServerCredentials(), &port);
  GrpcListener listener{builder.BuildAndStart(), listen};
  if (listener.server == nullptr || port == 0) {
    throw Error("gRPC: cannot listen at " + ToString(listen) +
                "; is the port in use or the host not of this machine?");
  }
  listener.address.port = static_cast<std::uint16_t>(port);
  return listener;
}

gpr_timespec ToGrpcTime(std::chrono::steady_clock::time_point time) {
  const auto since_boot = time.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since_boot);
  gpr_timespec result;
  result.tv_sec = seconds.count();
  result.tv_nsec =
      static_cast<std::int32_t>(std::chrono::nanoseconds(since_boot - seconds).count());
  result.clock_type = GPR_CLOCK_MONOTONIC;
  return result;
}

}  // namespace rpcbench
