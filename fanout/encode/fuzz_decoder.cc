// Any bytes to each decoder, cut into pieces: an Error or a text, never a fault, and the same
// however they are cut. The first byte chooses the coding, the second the size of the pieces.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "echo/error.h"
#include "fanout/encode/decoder.h"

namespace rpcbench {
namespace {

constexpr std::string_view kCodings[] = {"identity", "gzip", "br", "zstd"};

struct Decoding {
  bool good = true;
  std::size_t bytes = 0;
  unsigned long checksum = 0;  // of the text
};

Decoding Decode(std::string_view coding, std::string_view bytes, std::size_t piece) {
  Decoding decoding;
  const auto decoder = MakeDecoder(coding);
  try {
    while (!bytes.empty()) {
      std::string text;  // not kept: a few bytes can become megabytes
      const std::string_view now = bytes.substr(0, piece);
      bytes.remove_prefix(now.size());
      decoder->Decode(now, text);
      decoding.bytes += text.size();
      decoding.checksum =
          crc32_z(decoding.checksum, reinterpret_cast<const Bytef*>(text.data()), text.size());
    }
  } catch (const Error&) {
    decoding.good = false;
  }
  return decoding;
}

}  // namespace
}  // namespace rpcbench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view coding = rpcbench::kCodings[data[0] % 4];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto whole = rpcbench::Decode(coding, bytes, bytes.size());
  const auto pieces = rpcbench::Decode(coding, bytes, std::size_t{1} + data[1]);
  // Where bytes are bad, a decoder may have given more or less of what came before.
  if (whole.good != pieces.good) std::abort();
  if (whole.good && (whole.bytes != pieces.bytes || whole.checksum != pieces.checksum)) {
    std::abort();
  }
  return 0;
}
