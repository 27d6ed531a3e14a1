#include "fanout/encode/encoder.h"

#include <limits>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"

namespace rpcbench {

std::unique_ptr<Encoder> MakeEncoder(const EncoderOptions& options, const TextRing* ring) {
  constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  CheckEncoder(options, 0);
  EncoderOptions bounded = options;
  bounded.window_log = WindowLogOf(options);
  switch (options.codec) {
    case Codec::kZstd:
      return ring != nullptr ? MakeZstdRingEncoder(bounded, *ring)
                             : MakeZstdEncoder(bounded, kNoLimit);
    case Codec::kBrotli:
      return MakeBrotliEncoder(bounded);
    case Codec::kIdentity:
      return MakeIdentityEncoder();
  }
  throw Error("no such codec");
}

void AppendHeartbeat(Codec codec, std::string& out) {
  switch (codec) {
    case Codec::kZstd:  // a raw block of 0 bytes, not the last (RFC 8878, section 3.1.1.2)
      out.append(3, '\0');
      return;
    case Codec::kBrotli:  // a metadata block of 0 bytes, padded to a byte (RFC 7932, section 9.2)
      out += '\x06';
      return;
    case Codec::kIdentity:  // a comment
      out += ":\n\n";
      return;
  }
}

void AppendEndOfZstdFrame(std::string& out) {
  out.append("\x01\0\0", 3);
}

}  // namespace rpcbench
