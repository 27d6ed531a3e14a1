// A serialized message for the tests of this folder.
#pragma once

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <string>
#include <utility>

#include "frameworks/capnp/link.h"

namespace rpcbench {

// A serialized record; `segment_words` small makes it many segments.
class TestMessage final {
 public:
  TestMessage(std::string text, capnp::uint segment_words)
      : builder_(segment_words, capnp::AllocationStrategy::FIXED_SIZE) {
    ToCapnp({true, 7, 0.5, std::move(text)}, builder_.initRoot<capnp_schema::Record>());
  }

  capnp::MessageBuilder& builder() { return builder_; }

  std::string Bytes() {
    const auto words = capnp::messageToFlatArray(builder_);
    const auto bytes = words.asBytes();
    return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
  }

 private:
  capnp::MallocMessageBuilder builder_;
};

}  // namespace rpcbench
