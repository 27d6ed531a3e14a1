// Reads what a shared encoder writes before anybody else does: an encoder's fault would hit all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fanout/encode/codec.h"
#include "fanout/encode/decoder.h"

namespace rpcbench {

// One thread.
class Canary final {
 public:
  explicit Canary(Codec codec);

  // Whether a decoder that had all earlier bytes makes exactly `text` of these. Once it said no,
  // ask it no more.
  bool Reads(std::string_view bytes, std::string_view text);

 private:
  std::unique_ptr<Decoder> decoder_;
  std::string decoded_;
};

}  // namespace rpcbench
