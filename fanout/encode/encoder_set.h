// The encoders of many streams that are all sent the same frames, what they cost, and whether a
// browser could read what they make.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/codec.h"
#include "fanout/encode/decoder.h"
#include "fanout/encode/encoder.h"
#include "fanout/encode/text_ring.h"

namespace rpcbench {

struct EncodeCost {
  std::chrono::nanoseconds wall{0};
  std::chrono::nanoseconds cpu{0};  // of the calling thread
};

// One encoder a stream. One thread.
class EncoderSet final {
 public:
  // `shared_window`: nothing but what zstd's encoders look back into is shared. Throws Error as
  // MakeEncoder does.
  EncoderSet(const EncoderOptions& options, int streams, bool shared_window = false);

  // Encodes the frame once for each stream. Only this is timed, with the copy into a shared window.
  EncodeCost Encode(std::string_view frame);

  // What is wrong with the bytes of the last Encode, or nothing. The first stream's bytes are
  // decoded and compared with the frame. The others had the same texts from the start, so that
  // theirs must be the same bytes: then they decode to the same. To be called after every Encode.
  // Throws Error if the bytes cannot be decoded.
  std::string Check(std::string_view frame);

  int streams() const { return static_cast<int>(encoders_.size()); }
  std::size_t bytes() const;  // that the last Encode made, of all streams
  std::size_t heap() const;   // that the encoders hold, of all streams, and a shared window

 private:
  std::optional<TextRing> ring_;  // before the encoders that look into it
  std::vector<std::unique_ptr<Encoder>> encoders_;
  std::vector<std::string> encoded_;  // a stream's bytes of the last frame
  std::unique_ptr<Decoder> decoder_;
  std::string decoded_;
};

}  // namespace rpcbench
