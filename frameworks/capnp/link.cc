// See link.h.
#include "frameworks/capnp/link.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cstring>
#include <string_view>

#include "frameworks/capnp/batching_stream.h"

namespace rpcbench {
namespace {

using capnp::rpc::twoparty::Side;

capnp::ReaderOptions Limits() {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = kCapnpMessageWords;
  return options;
}

kj::Own<capnp::MessageStream> Messages(kj::AsyncIoStream& stream, CapnpWrites writes) {
  if (writes == CapnpWrites::kBatched) return kj::heap<CapnpBatchingStream>(stream);
  return kj::heap<capnp::AsyncIoMessageStream>(stream);
}

}  // namespace

CapnpLink::CapnpLink(kj::Own<kj::AsyncIoStream> stream, CapnpWrites writes,
                     capnp::Capability::Client bootstrap)
    : stream_(kj::mv(stream)),
      messages_(Messages(*stream_, writes)),
      network_(*messages_, Side::SERVER, Limits()),
      rpc_(capnp::makeRpcServer(network_, kj::mv(bootstrap))) {}

CapnpLink::CapnpLink(kj::Own<kj::AsyncIoStream> stream, CapnpWrites writes)
    : stream_(kj::mv(stream)),
      messages_(Messages(*stream_, writes)),
      network_(*messages_, Side::CLIENT, Limits()),
      rpc_(capnp::makeRpcClient(network_)) {}

capnp_schema::Echo::Client CapnpLink::Bootstrap() {
  capnp::MallocMessageBuilder message(4);
  auto peer = message.getRoot<capnp::rpc::twoparty::VatId>();
  peer.setSide(Side::SERVER);
  return rpc_.bootstrap(peer).castAs<capnp_schema::Echo>();
}

void SetNoDelay(kj::AsyncIoStream& stream) {
  const int on = 1;
  stream.setsockopt(IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

capnp::MessageSize EchoSize(std::size_t text_bytes) {
  // Both structs hold one pointer to a record; the text ends in a NUL.
  constexpr std::size_t kOuter = capnp::sizeInWords<capnp_schema::Echo::EchoParams>();
  static_assert(kOuter == capnp::sizeInWords<capnp_schema::Echo::EchoResults>());
  return {
      kOuter + capnp::sizeInWords<capnp_schema::Record>() + text_bytes / sizeof(capnp::word) + 1,
      0};
}

void ToCapnp(const Record& record, capnp_schema::Record::Builder message) {
  message.setFlag(record.flag);
  message.setNumber(record.number);
  message.setReal(record.real);
  // Not setText: a Text::Reader needs a NUL behind the text, which a record need not promise.
  auto text = message.initText(static_cast<capnp::uint>(record.text.size()));
  std::memcpy(text.begin(), record.text.data(), record.text.size());
}

RecordView FromCapnp(capnp_schema::Record::Reader message) {
  const auto text = message.getText();
  return {message.getFlag(), message.getNumber(), message.getReal(),
          std::string_view(text.begin(), text.size())};
}

}  // namespace rpcbench
