#include "fanout/peer/push_options.h"

namespace rpcbench {

PushServerOptions ServerOptionsOf(const PushOptions& options) {
  PushServerOptions server;
  server.cpus = options.cpus.server;
  server.sse_events = options.sse_events;
  return server;
}

StreamLoadOptions LoadOptionsOf(const PushOptions& options, const PushServer& server) {
  StreamLoadOptions load;
  load.connect = server.address();
  load.path = server.events_path();
  load.streams = options.streams;
  load.accept_encoding = "identity";
  load.open_with_event = false;
  load.cpus = options.cpus.client;
  return load;
}

}  // namespace rpcbench
