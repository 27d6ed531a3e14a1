// What both zstd encoders are set to.
#pragma once

#include <cstddef>

#include "fanout/encode/codec.h"

#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_compressionParameters
#include <zstd.h>

namespace rpcbench {

// The most bytes of a block. libzstd counts the window back from a block's end, so that a block's
// first byte reaches less far by the block's size: with blocks of 128 KB in a window of 2^18 a
// frame of 138 KB is mostly out of reach. Blocks of an eighth of the window avoid that (seen: half
// the bytes and a third less time). They also save heap, because beside the window and the tables
// (64 KB at level 1) an encoder holds four times a block's size: output, literals, sequences, and a
// block of input.
std::size_t ZstdBlockOf(const EncoderOptions& options);

// Low memory: tables of at most 2^15 entries. Those hold one position in five of a board's frame; a
// match is then found a little later and extended backwards.
void ShrinkZstdTables(ZSTD_compressionParameters& settings);

}  // namespace rpcbench
