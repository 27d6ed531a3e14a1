// Decodes a stream's body and says what its events were.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/codec.h"
#include "fanout/encode/decoder.h"
#include "fanout/load/seen_id.h"
#include "fanout/sse/parser.h"

namespace rpcbench {

struct SeenEvent {
  SeenId id;
  std::uint64_t name_hash = 0;
  std::uint64_t hash = 0;  // HashOf(data)
  bool reset = false;      // its name is "reset": the ids before it mean nothing any more
  // What data may begin with, in this order: "t=<CLOCK_MONOTONIC, ns> n=<number> ".
  std::optional<std::int64_t> sent_ns;
  std::optional<std::uint64_t> number;
};

struct Seen {
  std::vector<SeenEvent> events;
  std::optional<std::chrono::milliseconds> retry;
};

// One body, or one zstd frame; one thread.
class EventReader final : private EventSink {
 public:
  explicit EventReader(Codec codec);

  // What these bytes, which end at a flush boundary, add. Throws Error if they do not decode or no
  // client would take them; the reader is of no use then.
  Seen Read(std::string_view bytes);

 private:
  void OnEvent(const ReceivedEvent& event) override;
  void OnRetry(std::chrono::milliseconds retry) override { seen_.retry = retry; }

  const std::unique_ptr<Decoder> decoder_;  // null for identity
  EventParser parser_;
  std::string text_;
  Seen seen_;
};

// Whether two streams were told the same: name, data, and id if both know it. A reader that begins
// in mid-stream does not know an id that came before.
bool SameEvent(const SeenEvent& one, const SeenEvent& other);

}  // namespace rpcbench
