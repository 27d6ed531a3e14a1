// A stream without compression: sends the newest event's text, in a chunk that all such streams
// share.
#pragma once

#include <cstdint>
#include <string_view>

#include "fanout/encode/audience.h"
#include "fanout/encode/source.h"

namespace rpcbench {

// The newest event as one chunk, made for the first who asks. One thread.
class IdentityChunk final {
 public:
  // `text` is that of event number `event`.
  ChunkRef Get(std::uint64_t event, std::string_view text);

 private:
  ChunkRef chunk_;
  std::uint64_t event_ = 0;
};

struct TopicState;

// Skips what it was too slow for: any event may follow any other.
class IdentitySource final : public Source {
 public:
  // `first`: a chunk for this stream alone, before all others, or null.
  IdentitySource(IdentityChunk& newest, TopicState& state, ChunkRef first);

  ChunkRef Next() override;
  void Sent() override { place_.Sent(); }
  ChunkRef Heartbeat() override;
  std::string_view closing() const override { return {}; }

 private:
  IdentityChunk& newest_;
  TopicState& state_;
  Place place_;
  ChunkRef first_;
};

}  // namespace rpcbench
