// Thrift's two protocols behind one face: what turns calls into frames and back, on both sides.
// Holds no socket. Generated code is used at its template level, over TMemoryBuffer, so that no
// field costs a virtual call.
#pragma once

#include <thrift/TProcessor.h>
#include <thrift/protocol/TProtocol.h>

#include <cstdint>
#include <memory>
#include <span>

#include "echo/record.h"
#include "frameworks/thrift/gen/Echo.h"

namespace rpcbench {

enum class ThriftWire { kBinary, kCompact };

// Both sides refuse a longer frame: a length made up by a peer must not cost memory. A call is
// about 1,100 bytes at most.
inline constexpr std::uint32_t kMaxThriftFrame = 1u << 20;

// The client's half of the Echo service; one thread at a time. A frame is a 4-byte big-endian
// length and that many bytes of payload.
class ThriftCodec {
 public:
  virtual ~ThriftCodec() = default;

  // The whole frame of a call. Valid until the next Encode.
  virtual std::span<const std::uint8_t> Encode(std::int32_t sequence, const Record& record) = 0;

  // Reads the payload of a frame. False if it is not the reply to call `sequence`: garbage, an
  // exception of the server, another method or sequence id, bytes left over. The text of `reply`
  // is valid until the next Decode.
  virtual bool Decode(std::span<const std::uint8_t> payload, std::int32_t sequence,
                      RecordView& reply) = 0;
};

std::unique_ptr<ThriftCodec> MakeThriftCodec(ThriftWire wire);

// The server's half.
std::shared_ptr<apache::thrift::protocol::TProtocolFactory> MakeThriftProtocols(ThriftWire wire);
std::shared_ptr<apache::thrift::TProcessor> MakeThriftProcessor(
    ThriftWire wire, std::shared_ptr<thrift_schema::EchoIf> handler);

}  // namespace rpcbench
