#include "fanout/encode/canary.h"

#include "echo/error.h"

namespace rpcbench {

Canary::Canary(Codec codec) : decoder_(MakeDecoder(TokenOf(codec))) {}

bool Canary::Reads(std::string_view bytes, std::string_view text) {
  decoded_.clear();
  try {
    decoder_->Decode(bytes, decoded_);
  } catch (const Error&) {
    return false;  // what is wrong is the encoder's matter, and its cohort ends either way
  }
  return decoded_ == text;
}

}  // namespace rpcbench
