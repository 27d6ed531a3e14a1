#include "frameworks/thrift/wire.h"

#include <arpa/inet.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace rpcbench {
namespace {

using apache::thrift::protocol::TBinaryProtocolFactoryT;
using apache::thrift::protocol::TBinaryProtocolT;
using apache::thrift::protocol::TCompactProtocolFactoryT;
using apache::thrift::protocol::TCompactProtocolT;
using apache::thrift::protocol::TMessageType;
using apache::thrift::transport::TMemoryBuffer;

using Binary = TBinaryProtocolT<TMemoryBuffer>;
using Compact = TCompactProtocolT<TMemoryBuffer>;

constexpr int kLimit = static_cast<int>(kMaxThriftFrame);
constexpr const char* kMethod = "echo";

// The same limits as the server's factories have.
template <class Protocol>
Protocol MakeReader(const std::shared_ptr<TMemoryBuffer>& from) {
  if constexpr (std::is_same_v<Protocol, Binary>) {
    return Protocol(from, kLimit, kLimit, true, true);
  } else {
    return Protocol(from, kLimit, kLimit);
  }
}

// Uses the generated argument and result types, and not the generated client around them: that one
// always sends sequence id 0 and does not look at the id of the reply.
template <class Protocol>
class Codec final : public ThriftCodec {
 public:
  Codec()
      : out_(std::make_shared<TMemoryBuffer>()),
        in_(std::make_shared<TMemoryBuffer>()),
        writer_(out_),
        reader_(MakeReader<Protocol>(in_)) {}

  std::span<const std::uint8_t> Encode(std::int32_t sequence, const Record& record) override {
    request_.flag = record.flag;
    request_.number = record.number;
    request_.real = record.real;
    request_.text.assign(record.text);
    out_->resetBuffer();
    std::uint32_t length = 0;
    out_->write(reinterpret_cast<const std::uint8_t*>(&length), sizeof length);
    writer_.writeMessageBegin(kMethod, apache::thrift::protocol::T_CALL, sequence);
    thrift_schema::Echo_echo_pargs arguments;
    arguments.record = &request_;
    arguments.write(&writer_);
    writer_.writeMessageEnd();
    std::uint8_t* frame = nullptr;
    std::uint32_t size = 0;
    out_->getBuffer(&frame, &size);
    length = htonl(size - static_cast<std::uint32_t>(sizeof length));
    std::memcpy(frame, &length, sizeof length);
    return {frame, size};
  }

  bool Decode(std::span<const std::uint8_t> payload, std::int32_t sequence,
              RecordView& reply) override {
    in_->resetBuffer();
    in_->write(payload.data(), static_cast<std::uint32_t>(payload.size()));
    bool good = false;
    try {
      good = ReadReply(sequence);
    } catch (const std::exception&) {  // what Thrift throws at malformed input
      good = false;
    }
    good = good && in_->available_read() == 0;
    in_->readEnd();  // starts anew the count that Thrift holds against its largest message
    if (good) reply = {reply_.flag, reply_.number, reply_.real, reply_.text};
    return good;
  }

 private:
  bool ReadReply(std::int32_t sequence) {
    TMessageType type{};
    std::int32_t replied = 0;
    reader_.readMessageBegin(method_, type, replied);
    if (type != apache::thrift::protocol::T_REPLY) return false;
    if (replied != sequence || method_ != kMethod) return false;
    reply_.flag = false;
    reply_.number = 0;
    reply_.real = 0;
    reply_.text.clear();
    thrift_schema::Echo_echo_presult result;
    result.success = &reply_;
    result.read(&reader_);
    reader_.readMessageEnd();
    return result.__isset.success;
  }

  const std::shared_ptr<TMemoryBuffer> out_;
  const std::shared_ptr<TMemoryBuffer> in_;
  Protocol writer_;
  Protocol reader_;
  thrift_schema::Record request_;
  thrift_schema::Record reply_;
  std::string method_;
};

}  // namespace

std::unique_ptr<ThriftCodec> MakeThriftCodec(ThriftWire wire) {
  if (wire == ThriftWire::kBinary) return std::make_unique<Codec<Binary>>();
  return std::make_unique<Codec<Compact>>();
}

std::shared_ptr<apache::thrift::protocol::TProtocolFactory> MakeThriftProtocols(ThriftWire wire) {
  if (wire == ThriftWire::kBinary) {
    return std::make_shared<TBinaryProtocolFactoryT<TMemoryBuffer>>(kLimit, kLimit, true, true);
  }
  return std::make_shared<TCompactProtocolFactoryT<TMemoryBuffer>>(kLimit, kLimit);
}

std::shared_ptr<apache::thrift::TProcessor> MakeThriftProcessor(
    ThriftWire wire, std::shared_ptr<thrift_schema::EchoIf> handler) {
  if (wire == ThriftWire::kBinary) {
    return std::make_shared<thrift_schema::EchoProcessorT<Binary>>(std::move(handler));
  }
  return std::make_shared<thrift_schema::EchoProcessorT<Compact>>(std::move(handler));
}

}  // namespace rpcbench
