// Topics of small events that each count, for many streams: likes, presence. (A board, whose every
// event is its whole state, is a Topic: fanout/encode/topic.h.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/codec.h"
#include "fanout/encode/source.h"
#include "fanout/sse/event_queue.h"
#include "fanout/sse/replay_log.h"

namespace rpcbench {

struct EventTopicOptions {
  // Small windows: an encoder a stream, and some hundred events of 50 bytes fit in.
  EncoderOptions zstd{.codec = Codec::kZstd, .level = 1, .window_log = 15, .low_memory = true};
  EncoderOptions brotli{.codec = Codec::kBrotli, .level = 4, .window_log = 15, .low_memory = true};
  ReplayBounds replay = {};  // of each topic
  // The number before the first event's. Nothing: the system clock's microseconds, so that ids
  // which an earlier life of the server gave out are unknown in this one.
  std::optional<std::uint64_t> base = {};
  std::size_t pull_bytes = 16 << 10;  // of text that one chunk puts together
};

struct SmallEvent {
  std::string_view name = {};  // empty: "message"
  std::string_view data = {};
  // What it is the newest state of, within its topic. Empty: of the whole topic.
  std::string_view key = {};
};

struct EventStreamOptions {
  std::vector<std::string> topics = {};  // at least one; one stream may carry several
  Codec codec = Codec::kIdentity;
  OverflowPolicy overflow = OverflowPolicy::kNewestReplaces;
  std::size_t queue_events = 128;
  std::string last_event_id = {};  // as the client sent it; empty: it is new
};

struct EventTopicCounts {
  Ledger ledger;  // of all streams there are and were
  std::uint64_t pending = 0;
  std::size_t streams = 0;
  std::uint64_t published = 0;
  std::uint64_t replays = 0, replayed_bytes = 0;  // returns that got exactly what they missed
  std::uint64_t snapshots = 0;                    // new streams
  std::uint64_t resets = 0;                       // returns that got `reset` and a snapshot
  std::uint64_t slow = 0;                         // streams closed because their queue was full
  std::uint64_t encoder_failures = 0;             // each closed its stream
};

// One thread. Sources must be gone before their topics.
//
// All topics count together, so that the id of any event says of all topics of a stream how far it
// was read.
class EventTopics final {
 public:
  explicit EventTopics(EventTopicOptions options = {});
  ~EventTopics();
  EventTopics(const EventTopics&) = delete;
  EventTopics& operator=(const EventTopics&) = delete;

  // Throws Error if the name is there already, empty, or has CR, LF or NUL.
  void Add(const std::string& topic);
  bool Has(std::string_view topic) const;
  // Streams of this topic now; 0 if there is no such topic.
  std::size_t streams(std::string_view topic) const;

  // A stream that is first sent, in order of number and with their own ids,
  // - if it is new: the newest event of each key of its topics (the snapshot);
  // - if its Last-Event-ID is known: exactly what it missed;
  // - else: an event `reset`, without an id and with empty data, and the snapshot.
  // Then what is published, without a gap. Throws Error for an unknown topic, for none, and if no
  // encoder can be made. With identity single events are shared by all streams; the other codecs
  // have an encoder a stream.
  std::unique_ptr<Source> Join(const EventStreamOptions& options);

  // Returns the event's number; the caller then kicks the streams. Throws Error for an unknown
  // topic and for a name with CR, LF or NUL. Memory: the newest event of each key is kept.
  std::uint64_t Publish(std::string_view topic, const SmallEvent& event);

  EventTopicCounts counts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rpcbench
