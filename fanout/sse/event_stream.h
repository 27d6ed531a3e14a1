// One stream of small events: its queue, its encoder, its place in its topics. Behind EventTopics.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fanout/encode/encoder.h"
#include "fanout/encode/source.h"
#include "fanout/sse/event_queue.h"
#include "fanout/sse/event_topic.h"
#include "fanout/sse/replay_log.h"

namespace rpcbench {

class EventStream;

// A topic's watchers. A stream knows its place here, and is told when it moves: leaving is then as
// cheap with 10,000 streams as with one.
struct TopicWatcher {
  EventStream* stream = nullptr;
  std::size_t subscription = 0;  // which of the stream's this is
};

struct EventTopicState {
  explicit EventTopicState(ReplayLog topic_log) : log(std::move(topic_log)) {}

  ReplayLog log;
  std::map<std::string, LoggedEvent, std::less<>> newest;  // by key
  std::vector<TopicWatcher> watchers;
};

// What all streams share; it outlives them.
struct EventStreamHost {
  EventTopicOptions options;
  EventTopicCounts counts;
};

class EventStream final : public Source {
 public:
  // `topics` without doubles. `backlog` is what the stream begins with.
  EventStream(EventStreamHost& host, const EventStreamOptions& options,
              const std::vector<EventTopicState*>& topics, std::vector<LoggedEvent> backlog);
  ~EventStream() override;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  // May take this stream, and no other, out of its topics' watchers.
  void Offer(const LoggedEvent& event, std::uint64_t previous);

  ChunkRef Next() override;
  void Sent() override;
  ChunkRef Heartbeat() override;
  std::string_view closing() const override { return closing_; }

 private:
  struct Subscription {
    EventTopicState* topic;
    std::size_t place;  // in its watchers
  };

  ChunkRef Encode(std::string_view text, std::uint32_t events);
  void Close(std::string_view reason);
  void Leave();

  EventStreamHost& host_;
  const Codec codec_;
  EventQueue queue_;
  std::unique_ptr<Encoder> encoder_;  // null for identity
  bool encoded_ = false;              // whether the codec's header is out
  std::uint32_t taken_ = 0;           // events of the chunk between Next and Sent
  std::string_view closing_;          // a literal
  std::vector<Subscription> subscriptions_;
};

}  // namespace rpcbench
