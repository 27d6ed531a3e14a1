#include "fanout/encode/decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "echo/error.h"
#include "fanout/encode/codec_decoders.h"

namespace rpcbench {
namespace {

class IdentityDecoder final : public Decoder {
 public:
  void Decode(std::string_view bytes, std::string& out) override { out += bytes; }
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

}  // namespace

std::unique_ptr<Decoder> MakeDecoder(std::string_view coding) {
  const std::string token = Lower(coding);
  if (token.empty() || token == "identity") return std::make_unique<IdentityDecoder>();
  if (token == "gzip" || token == "x-gzip") return MakeGzipDecoder();  // RFC 9110, section 8.4.1.3
  if (token == "br") return MakeBrotliDecoder();
  if (token == "zstd") return MakeZstdDecoder();
  throw Error(
      fmt::format("content coding \"{}\": identity, gzip, br and zstd can be decoded", coding));
}

}  // namespace rpcbench
