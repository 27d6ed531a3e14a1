// Decodes a content coding piece by piece, as a browser does.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rpcbench {

// One thread at a time.
class Decoder {
 public:
  virtual ~Decoder() = default;

  // Appends to `out` all that can be decoded with these bytes. Several zstd frames (or gzip
  // members) in one body are one text. A few bytes can become megabytes: who does not trust the
  // sender gives small pieces and looks at `out` in between. Throws Error that says what is wrong
  // with the bytes, a window over 8 MB and bytes behind the end included; the decoder is of no use
  // then.
  virtual void Decode(std::string_view bytes, std::string& out) = 0;
};

// `coding` is a token of Content-Encoding, in any case: identity (or empty), gzip, br, zstd. Throws
// Error for any other.
std::unique_ptr<Decoder> MakeDecoder(std::string_view coding);

}  // namespace rpcbench
