#include "fanout/encode/identity_source.h"

#include <memory>
#include <utility>

#include "fanout/encode/topic_state.h"

namespace rpcbench {

ChunkRef IdentityChunk::Get(std::uint64_t event, std::string_view text) {
  if (event_ != event) {
    chunk_ = std::make_shared<const Chunk>(text, 1);
    event_ = event;
  }
  return chunk_;
}

IdentitySource::IdentitySource(IdentityChunk& newest, TopicState& state, ChunkRef first)
    : newest_(newest), state_(state), place_(state.audience), first_(std::move(first)) {}

ChunkRef IdentitySource::Next() {
  if (place_.busy()) {
    return nullptr;
  }
  if (first_) {
    place_.TakeOwn();
    ++state_.first_frames;
    return std::exchange(first_, nullptr);
  }
  if (place_.behind() == 0) {
    return nullptr;
  }
  const std::uint64_t newest = state_.audience.newest();
  place_.Take(newest, 1);
  return newest_.Get(newest, state_.newest);
}

ChunkRef IdentitySource::Heartbeat() {
  return std::make_shared<const Chunk>(kSilentText, 0);
}

}  // namespace rpcbench
