// A stream with an encoder of its own: for clients that do not take several zstd frames
// (?cohort=0), and to compare cohorts with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "fanout/encode/audience.h"
#include "fanout/encode/encoder.h"
#include "fanout/encode/source.h"
#include "fanout/encode/topic_state.h"

namespace rpcbench {

// Encodes the newest event when it is asked for a chunk, so that no bytes are made that are not
// sent. It has one frame for good: after a failure of its encoder it is closed.
class PrivateSource final : public Source {
 public:
  // `first`: an event before all others, for this stream alone, or empty. Throws Error if no
  // encoder can be made.
  PrivateSource(const EncoderOptions& options, TopicState& state, std::string_view first);
  ~PrivateSource() override;

  ChunkRef Next() override;
  void Sent() override { place_.Sent(); }
  ChunkRef Heartbeat() override;  // null once the encoder failed
  std::string_view closing() const override;

 private:
  // Null if the encoder fails. Its CPU is accounted.
  ChunkRef Encode(std::string_view text, std::uint32_t events);

  const Codec codec_;
  TopicState& state_;
  std::unique_ptr<Encoder> encoder_;  // null once it failed
  std::size_t heap_ = 0;              // its share of the state's
  Place place_;
  std::string first_;
  bool started_ = false;
};

}  // namespace rpcbench
