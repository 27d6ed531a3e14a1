// Decodes what the streams of a sink took, and compares it with what was published.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fanout/board/sink.h"
#include "fanout/encode/codec.h"

namespace rpcbench {

struct FrameCheck {
  std::size_t decoded_streams = 0;   // whose bytes were decoded
  std::size_t compared_streams = 0;  // that hold the very same chunks as a decoded one
  std::string problem;               // the first; empty: every stream is as it should be
};

// Each stream has to decode, chunk by chunk, to events of `published`, whole, in their order, none
// left out between its first and the last that was published. `published`: every event since the
// topic began.
FrameCheck CheckFrames(const std::vector<Sink::Taken>& streams, Codec codec,
                       const std::vector<std::string>& published);

}  // namespace rpcbench
