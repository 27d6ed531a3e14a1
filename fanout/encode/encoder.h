// Turns the events of one stream, or of one cohort of streams, into bytes of a content coding.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fanout/encode/codec.h"
#include "fanout/encode/text_ring.h"

namespace rpcbench {

// One thread at a time. History carries over from one call to the next.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // Appends to `out` (and never touches what is there) bytes from which a decoder that had all
  // earlier output decodes all of `text` at once: the codec is flushed, and a zstd or brotli stream
  // is at a byte's end. An empty text may add nothing. Throws Error when the codec fails; the
  // encoder is of no use then.
  virtual void Encode(std::string_view text, std::string& out) = 0;

  // Heap that this encoder holds now, in bytes, as its own allocator counts it.
  virtual std::size_t heap() const = 0;
};

// Thrown by Encode: the ring was overwritten while this encoder paused. Its stream cannot go on.
class HistoryGone final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// With `ring`, which outlives it, a zstd encoder has no window of its own but looks back into the
// ring: Encode is given texts of the ring, in their order, of which some may be left out. Other
// texts it copies. Several threads may encode with one ring while nothing is appended to it.
// Throws Error as CheckEncoder does, or when there is no memory (which ends the process for brotli,
// see brotli_encoder.cc). The warning is the caller's to show: nothing is refused for a small
// window here.
std::unique_ptr<Encoder> MakeEncoder(const EncoderOptions& options, const TextRing* ring = nullptr);

// Appends what is no event and no byte of text, but lets bytes pass through what sits between: an
// empty block, 00 00 00 (zstd) or 06 (brotli); ":\n\n" for identity. At a flush boundary only, and
// without the encoder knowing. Whoever sends it has to see that the stream was sent at least one
// encoded text of the frame that is open: before that, and after AppendEndOfZstdFrame, there is no
// frame that a block could be in, and a decoder fails.
void AppendHeartbeat(Codec codec, std::string& out);

// Appends an empty last block, 01 00 00: ends a zstd frame at a flush boundary, so that another may
// follow.
void AppendEndOfZstdFrame(std::string& out);

}  // namespace rpcbench
