#include "fanout/encode/topic_state.h"

#include <algorithm>

namespace rpcbench {
namespace {

// A window behind the text that is encoded, that text, a jump over the end, and as much again.
constexpr std::size_t kWindowsInRing = 4;

}  // namespace

const TextRing* TopicState::RingFor(Codec codec) {
  if (codec != Codec::kZstd || !options.shared_window) return nullptr;
  const std::size_t least = kWindowsInRing << WindowLogOf(options.zstd);
  if (!ring) {
    ring.emplace(std::max(options.shared_window_bytes, least));
    Keep();
  }
  return &*ring;
}

std::string_view TopicState::NewestFor(Codec codec) const {
  return ring && codec == Codec::kZstd ? newest_in_ring : std::string_view(newest);
}

void TopicState::SetNewest(std::string_view event) {
  newest.assign(event);
  if (ring && privates.empty()) ring.reset();
  if (ring) Keep();
}

void TopicState::Keep() {
  newest_in_ring = ring->Append(newest);
}

}  // namespace rpcbench
