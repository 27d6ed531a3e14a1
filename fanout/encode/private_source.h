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
// sent, or ahead of that if the topic has threads for it. It has one frame for good: once its
// encoder cannot go on, it is closed.
class PrivateSource final : public Source {
 public:
  // `first`: an event before all others, for this stream alone, or empty. Throws Error if no
  // encoder can be made.
  PrivateSource(const EncoderOptions& options, TopicState& state, std::string_view first);
  ~PrivateSource() override;

  ChunkRef Next() override;
  void Sent() override { place_.Sent(); }
  ChunkRef Heartbeat() override;  // null once the encoder failed, or if the first event is about
                                  // to be taken
  std::string_view closing() const override { return closing_; }

  // Encodes the newest event for all streams that wait for it, on all of the topic's threads.
  static void EncodeAhead(TopicState& state);

 private:
  // The newest event, and nothing before it, is what it is to encode next.
  bool WaitsForNewest() const;
  // Any thread, one at a time: touches nothing that others share.
  void Encode(std::string_view text);
  // Accounts what Encode did, but for its CPU. Null if the encoder could not go on.
  ChunkRef Finish(std::uint32_t events);
  // Both.
  ChunkRef EncodeNow(std::string_view text, std::uint32_t events);

  const Codec codec_;
  TopicState& state_;
  std::unique_ptr<Encoder> encoder_;  // null once it cannot go on
  std::size_t heap_ = 0;              // its share of the state's
  std::size_t index_ = 0;             // among the topic's private sources
  Place place_;
  std::string first_;
  std::string bytes_;     // of the last Encode
  ChunkRef ahead_;        // was taken, and is to be handed out next
  bool started_ = false;  // something was handed out
  std::string_view closing_;
};

}  // namespace rpcbench
