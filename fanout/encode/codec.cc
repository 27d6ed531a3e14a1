#include "fanout/encode/codec.h"

#include <brotli/encode.h>
#include <fmt/format.h>
#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_getCParams
#include <zstd.h>

#include <cstdint>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr int kLeastZstdLevel = -7;  // libzstd goes on to -131072, which is hardly compression
constexpr int kLeastWindowLog = 10;  // of both libraries

// A frame of the board on its own against the 40 cards of it that changed, for an encoder that
// finds all the rest in the frame before: 25,000 bytes and 290.
constexpr int kCostOfSmallWindow = 85;

struct Levels {
  int least;
  int most;
};

Levels LevelsOf(Codec codec) {
  if (codec == Codec::kZstd) return {kLeastZstdLevel, ZSTD_maxCLevel()};
  return {BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY};
}

void CheckLevel(const EncoderOptions& options) {
  const Levels levels = LevelsOf(options.codec);
  if (options.level >= levels.least && options.level <= levels.most) return;
  throw Error(fmt::format("{} level {}: give {} to {}", ToString(options.codec), options.level,
                          levels.least, levels.most));
}

void CheckWindow(const EncoderOptions& options) {
  const bool implied = options.window_log == 0;
  const int log = WindowLogOf(options);
  if (log >= kLeastWindowLog && log <= kMaxWindowLog) return;
  const std::string what =
      implied ? fmt::format("{} level {} implies a window of 2^{} bytes", ToString(options.codec),
                            options.level, log)
              : fmt::format("a {} window of 2^{} bytes", ToString(options.codec), log);
  throw Error(fmt::format("{}: give a window of {} to {}; browsers decode at most 8 MB (2^{})",
                          what, kLeastWindowLog, kMaxWindowLog, kMaxWindowLog));
}

}  // namespace

const char* TokenOf(Codec codec) {
  switch (codec) {
    case Codec::kIdentity:
      return "identity";
    case Codec::kZstd:
      return "zstd";
    case Codec::kBrotli:
      return "br";
  }
  return "";
}

const char* ToString(Codec codec) {
  return codec == Codec::kBrotli ? "brotli" : TokenOf(codec);
}

Codec ParseCodec(std::string_view name) {
  for (const Codec codec : {Codec::kIdentity, Codec::kZstd, Codec::kBrotli}) {
    if (name == ToString(codec)) return codec;
  }
  throw Error(fmt::format("codec \"{}\": give identity, zstd or brotli", name));
}

EncoderOptions DefaultEncoder(Codec codec) {
  EncoderOptions options;
  options.codec = codec;
  if (codec == Codec::kZstd) options.level = 1;
  if (codec == Codec::kBrotli) options.level = 4;
  return options;
}

std::string NameOf(const EncoderOptions& options) {
  if (options.codec == Codec::kIdentity) return ToString(options.codec);
  return fmt::format("{}_{}{}", ToString(options.codec), options.level,
                     options.low_memory ? "_lowmem" : "");
}

int WindowLogOf(const EncoderOptions& options) {
  if (options.codec == Codec::kIdentity) return 0;
  if (options.window_log != 0) return options.window_log;
  if (options.codec == Codec::kBrotli) return BROTLI_DEFAULT_WINDOW;
  constexpr unsigned long long kUnknownSize = 0;
  return static_cast<int>(ZSTD_getCParams(options.level, kUnknownSize, 0).windowLog);
}

std::optional<std::string> CheckEncoder(const EncoderOptions& options, std::size_t frame_bytes) {
  if (options.codec == Codec::kIdentity) return std::nullopt;
  CheckLevel(options);
  CheckWindow(options);
  const int log = WindowLogOf(options);
  // Brotli's window is 16 bytes short of the power of two (RFC 7932, section 9.1).
  const std::size_t window =
      (std::size_t{1} << log) - (options.codec == Codec::kBrotli ? std::size_t{16} : 0);
  if (window >= frame_bytes) return std::nullopt;
  return fmt::format(
      "{} with a window of {} bytes (2^{}): a frame of {} bytes cannot refer to the one before, "
      "which costs about {} times the bytes of a board",
      NameOf(options), window, log, frame_bytes, kCostOfSmallWindow);
}

}  // namespace rpcbench
