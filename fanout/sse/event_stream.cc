#include "fanout/sse/event_stream.h"

#include <utility>

#include "echo/error.h"

namespace rpcbench {

EventStream::EventStream(EventStreamHost& host, const EventStreamOptions& options,
                         const std::vector<EventTopicState*>& topics,
                         std::vector<LoggedEvent> backlog)
    : host_(host), codec_(options.codec), queue_(options.overflow, options.queue_events) {
  if (codec_ == Codec::kZstd) encoder_ = MakeEncoder(host.options.zstd);
  if (codec_ == Codec::kBrotli) encoder_ = MakeEncoder(host.options.brotli);
  host_.counts.ledger.offered += backlog.size();
  host_.counts.pending += backlog.size();
  for (auto& event : backlog) queue_.Preload(std::move(event));
  for (EventTopicState* topic : topics) {
    topic->watchers.push_back({.stream = this, .subscription = subscriptions_.size()});
    subscriptions_.push_back({.topic = topic, .place = topic->watchers.size() - 1});
  }
  ++host_.counts.streams;
}

EventStream::~EventStream() {
  Close("left");
  host_.counts.ledger.evicted += taken_;
  host_.counts.pending -= taken_;
  --host_.counts.streams;
}

void EventStream::Offer(const LoggedEvent& event, std::uint64_t previous) {
  EventTopicCounts& counts = host_.counts;
  ++counts.ledger.offered;
  switch (queue_.Offer(event, previous)) {
    case Admission::kQueued:
      ++counts.pending;
      break;
    case Admission::kReplaced:
      ++counts.ledger.coalesced;
      break;
    case Admission::kDropped:
      ++counts.ledger.dropped;
      break;
    case Admission::kEvict:
      ++counts.ledger.evicted;
      ++counts.slow;
      Close("slow");
      break;
  }
}

ChunkRef EventStream::Next() {
  if (!closing_.empty() || queue_.empty()) return nullptr;
  if (!encoder_ && queue_.size() == 1) {
    taken_ = 1;
    return queue_.TakeOne();
  }
  std::string text;
  taken_ = queue_.Take(host_.options.pull_bytes, text);
  return Encode(text, taken_);
}

void EventStream::Sent() {
  host_.counts.ledger.delivered += taken_;
  host_.counts.pending -= taken_;
  taken_ = 0;
}

ChunkRef EventStream::Heartbeat() {
  if (!closing_.empty()) return nullptr;
  std::string bytes;
  // An empty block is no beginning: before the codec's header there has to be text.
  if (encoder_ && !encoded_) return Encode(":\n\n", 0);
  AppendHeartbeat(codec_, bytes);
  return std::make_shared<const Chunk>(bytes, 0);
}

ChunkRef EventStream::Encode(std::string_view text, std::uint32_t events) {
  if (!encoder_) return std::make_shared<const Chunk>(text, events);
  try {
    std::string bytes;
    encoder_->Encode(text, bytes);
    encoded_ = true;
    return std::make_shared<const Chunk>(bytes, events);
  } catch (const Error&) {
    // A client cannot decode what would follow: it has to come back, and this is where the error
    // ends, counted.
    ++host_.counts.encoder_failures;
    Close("encoder failed");
    return nullptr;
  }
}

void EventStream::Close(std::string_view reason) {
  if (closing_.empty()) closing_ = reason;
  host_.counts.ledger.evicted += queue_.size();
  host_.counts.pending -= queue_.size();
  queue_.Clear();
  Leave();
}

void EventStream::Leave() {
  for (const Subscription& subscription : subscriptions_) {
    auto& watchers = subscription.topic->watchers;
    const TopicWatcher moved = watchers.back();
    watchers[subscription.place] = moved;
    moved.stream->subscriptions_[moved.subscription].place = subscription.place;
    watchers.pop_back();
  }
  subscriptions_.clear();
}

}  // namespace rpcbench
