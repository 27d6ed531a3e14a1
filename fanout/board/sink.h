// Streams in this process that take every frame at once and keep it: what the board costs without a
// network. Decoding waits until nothing is measured any more.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/topic.h"

namespace rpcbench {

struct SinkCounts {
  std::uint64_t events = 0;  // taken, over all streams
  std::uint64_t bytes = 0;   // of chunk bodies, over all streams
};

// One thread, that of the topic, which outlives it.
class Sink final {
 public:
  // What each stream took, in order.
  using Taken = std::vector<ChunkRef>;

  // `shared`: members of cohorts; otherwise each stream has an encoder of its own.
  Sink(Topic& topic, Codec codec, bool shared) : topic_(topic), codec_(codec), shared_(shared) {}

  // More streams, each of which takes at once what it is to begin with. Throws Error if one has no
  // encoder.
  void Join(int streams);
  // Each stream takes all there is.
  void TakeAll();
  // Ends all streams: what they took stays.
  void Leave() { streams_.clear(); }

  std::size_t streams() const { return taken_.size(); }
  // How many have had an event.
  std::size_t open() const { return open_; }
  const SinkCounts& counts() const { return counts_; }
  const std::vector<Taken>& taken() const { return taken_; }
  // Why the first of the streams that were to be closed was; empty: all go on.
  const std::string& closed() const { return closed_; }

 private:
  void Take(std::size_t stream);

  Topic& topic_;
  const Codec codec_;
  const bool shared_;
  std::vector<std::unique_ptr<Source>> streams_;
  std::vector<Taken> taken_;
  SinkCounts counts_;
  std::size_t open_ = 0;
  std::string closed_;
};

}  // namespace rpcbench
