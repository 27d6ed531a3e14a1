// capnp_tcp_capnp, capnp_tcp_capnp_buffered: Cap'n Proto 0.9.2, two-party RPC over TCP.
//
// TwoPartyVatNetwork and RpcSystem by hand and not EzRpc, which leaves no say in sockets, limits
// and loops. What a call costs is system calls (nine on both sides together) and promises; the
// second row keeps the promises and makes the system calls less than one.
#include <capnp/common.h>

#include <string>
#include <vector>

#include "echo/framework.h"
#include "frameworks/capnp/client.h"
#include "frameworks/capnp/server.h"

namespace rpcbench {
namespace {

Framework Row(std::string name, std::string label, std::string settings, CapnpWrites writes) {
  Framework row;
  row.name = std::move(name);
  row.label = std::move(label);
  row.version = std::to_string(CAPNP_VERSION_MAJOR) + "." + std::to_string(CAPNP_VERSION_MINOR) +
                "." + std::to_string(CAPNP_VERSION_MICRO);
  row.settings = std::move(settings);
  row.traits = {.transport = "tcp",
                .codec = "capnp",
                .carries = Carries::kMany,
                .nan_rule = NanRule::kSameBits,
                .native_timer = true};
  row.start_server = [writes](const ServerOptions& options, HoldMeter& meter) {
    return StartCapnpServer(writes, options, meter);
  };
  row.connect = [writes](const Address& address, const ClientOptions& options, ReplySink& sink) {
    return ConnectCapnp(writes, address, options, sink);
  };
  return row;
}

}  // namespace

std::vector<Framework> CapnpFrameworks() {
  const std::string common =
      "one kj loop a thread, connections dealt out in turn; messages sized in advance, 1 MiB at "
      "most; no flow limit; ";
  return {Row("capnp_tcp_capnp", "Cap'n Proto",
              common + "the library's own message stream: a write a message", CapnpWrites::kStock),
          Row("capnp_tcp_capnp_buffered", "Cap'n Proto, batched writes",
              common + "our message stream: a write a turn of the loop, reads of 64 KiB",
              CapnpWrites::kBatched)};
}

}  // namespace rpcbench
