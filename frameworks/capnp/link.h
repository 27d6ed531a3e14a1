// One Cap'n Proto connection of either side, the conversions between Record and the wire type, and
// the limits that both sides share.
#pragma once

#include <capnp/rpc-twoparty.h>
#include <capnp/rpc.h>
#include <kj/async-io.h>

#include "echo/record.h"
#include "echo/schema/echo.capnp.h"

namespace rpcbench {

// How messages reach the socket: as the library does it, or by CapnpBatchingStream.
enum class CapnpWrites { kStock, kBatched };

// 1 MiB a message, far above any record; the library's own limit is 64 MiB.
inline constexpr std::uint64_t kCapnpMessageWords = 128 * 1024;

// Belongs to one kj loop. Destroying it closes the connection and fails the calls in flight on it.
class CapnpLink final {
 public:
  // Serves `bootstrap` on a connection that was accepted.
  CapnpLink(kj::Own<kj::AsyncIoStream> stream, CapnpWrites writes,
            capnp::Capability::Client bootstrap);
  // The client's end.
  CapnpLink(kj::Own<kj::AsyncIoStream> stream, CapnpWrites writes);

  // The server's bootstrap capability; a promise until it has answered.
  capnp_schema::Echo::Client Bootstrap();

  // Done once the connection is closed, for whatever reason.
  kj::Promise<void> OnClose() { return network_.onDisconnect(); }

 private:
  kj::Own<kj::AsyncIoStream> stream_;
  kj::Own<capnp::MessageStream> messages_;
  capnp::TwoPartyVatNetwork network_;
  capnp::RpcSystem<capnp::rpc::twoparty::VatId> rpc_;
};

// Nagle off. Throws kj::Exception.
void SetNoDelay(kj::AsyncIoStream& stream);

// The size of parameters or results with a record of so much text, so that a message is one segment
// of the right size: the library begins with 8 KiB.
capnp::MessageSize EchoSize(std::size_t text_bytes);

void ToCapnp(const Record& record, capnp_schema::Record::Builder message);

// The view's text belongs to `message`. Throws kj::Exception where the message is malformed.
RecordView FromCapnp(capnp_schema::Record::Reader message);

}  // namespace rpcbench
