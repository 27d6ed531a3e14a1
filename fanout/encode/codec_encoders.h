// One encoder a content coding. For encoder.cc, and for tests that want one to run out of memory.
#pragma once

#include <cstddef>
#include <memory>

#include "fanout/encode/codec.h"
#include "fanout/encode/encoder.h"
#include "fanout/encode/text_ring.h"

namespace rpcbench {

// The options were checked and their window is not 0. Throws Error. A zstd encoder that would hold
// more than `heap_limit` bytes fails, here or in Encode, as if memory were out.
std::unique_ptr<Encoder> MakeZstdEncoder(const EncoderOptions& options, std::size_t heap_limit);
// Likewise, and looks back into `ring`, which outlives it: texts from there are not copied.
std::unique_ptr<Encoder> MakeZstdRingEncoder(const EncoderOptions& options, const TextRing& ring);
std::unique_ptr<Encoder> MakeBrotliEncoder(const EncoderOptions& options);
std::unique_ptr<Encoder> MakeIdentityEncoder();

}  // namespace rpcbench
