// The content codings of a stream, and how an encoder of each is set.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rpcbench {

enum class Codec { kIdentity, kZstd, kBrotli };

// The token of Accept-Encoding and Content-Encoding: "identity", "zstd", "br".
const char* TokenOf(Codec codec);

// The name in flags, rows and legends: "identity", "zstd", "brotli".
const char* ToString(Codec codec);
// Throws Error that lists the names there are.
Codec ParseCodec(std::string_view name);

// What browsers decode at most: 8 MB (RFC 8878 and RFC 9659 for zstd).
inline constexpr int kMaxWindowLog = 23;

struct EncoderOptions {
  Codec codec = Codec::kIdentity;
  int level = 0;        // zstd: -7 to 22; brotli: 0 to 11 (its "quality"); identity: unused
  int window_log = 19;  // log2 of the bytes to refer back to; 0: what the level implies
  // zstd: less heap for more bytes, see zstd_encoder.cc. brotli: no effect, its heap follows from
  // level and window alone.
  bool low_memory = false;
};

// zstd 1 and brotli 4, the levels that the published board ran with.
EncoderOptions DefaultEncoder(Codec codec);

// "zstd_3", "zstd_-1", "brotli_4", "zstd_1_lowmem", "identity": for rows and legends. The window is
// not in it.
std::string NameOf(const EncoderOptions& options);

// The log2 of the window that an encoder of these options has: what was asked for, or what the
// level implies; 0 for identity.
int WindowLogOf(const EncoderOptions& options);

// Throws Error for a level that the codec lacks and for a window that browsers do not
// decode: over 8 MB, asked for or implied by the level (libzstd's 20 and up, unless bounded).
// Returns a warning with what it would cost where the window is smaller than a frame of
// `frame_bytes`, so that a frame cannot refer to the one before; nothing if all is well.
std::optional<std::string> CheckEncoder(const EncoderOptions& options, std::size_t frame_bytes);

}  // namespace rpcbench
