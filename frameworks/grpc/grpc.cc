// gRPC over HTTP/2 with protobuf, as two rows that differ in the server: completion queues, where
// the adapter owns the threads, and callbacks, where gRPC does. Read against gRPC 1.51.1.
#include <google/protobuf/stubs/common.h>
#include <grpcpp/grpcpp.h>

#include "echo/framework.h"
#include "frameworks/grpc/rows.h"

namespace rpcbench {

std::vector<Framework> GrpcFrameworks() {
  const std::string same =
      "a channel a connection (local subchannel pool), no retries, no proxy, no port sharing; "
      "messages kept over calls instead of arenas; flow-control windows, BDP probing and stream "
      "limit as gRPC has them";
  Framework queue;
  queue.name = "grpc_http2_protobuf";
  queue.label = "gRPC";
  queue.version = grpc::Version() + ", protobuf " +
                  google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
  queue.settings = "completion queues, one polling thread each; 1024 calls asked ahead; " + same;
  queue.traits = {
      .transport = "http2", .codec = "protobuf", .carries = Carries::kMany, .native_timer = true};
  queue.start_server = StartGrpcQueueServer;
  queue.connect = ConnectGrpc;

  Framework callback = queue;
  callback.name = "grpc_http2_protobuf_callback";
  callback.label = "gRPC callback";
  callback.settings =
      "callback service; its threads are gRPC's, clamp(cores / 2, 2, 16), and cannot be set, and "
      "one more holds the replies; " +
      same;
  callback.start_server = StartGrpcCallbackServer;
  return {queue, callback};
}

}  // namespace rpcbench
