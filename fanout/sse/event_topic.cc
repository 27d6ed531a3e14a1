#include "fanout/sse/event_topic.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "echo/error.h"
#include "fanout/sse/event.h"
#include "fanout/sse/event_id.h"
#include "fanout/sse/event_stream.h"

namespace rpcbench {
namespace {

using States = std::vector<EventTopicState*>;

std::uint64_t Base(const EventTopicOptions& options) {
  if (options.base) return *options.base;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

void SortByNumber(std::vector<LoggedEvent>& events) {
  std::sort(events.begin(), events.end(),
            [](const LoggedEvent& a, const LoggedEvent& b) { return a.number < b.number; });
}

std::vector<LoggedEvent> Snapshot(const States& topics) {
  std::vector<LoggedEvent> events;
  for (const EventTopicState* topic : topics) {
    for (const auto& [key, event] : topic->newest) events.push_back(event);
  }
  SortByNumber(events);
  return events;
}

std::optional<std::vector<LoggedEvent>> Missed(const States& topics,
                                               std::string_view last_event_id) {
  const auto id = ParseEventId(last_event_id);
  if (!id) return std::nullopt;
  const bool known = std::any_of(topics.begin(), topics.end(), [&](const EventTopicState* topic) {
    return topic->log.topic() == id->topic && topic->log.Knows(id->number);
  });
  if (!known) return std::nullopt;
  std::vector<LoggedEvent> events;
  for (const EventTopicState* topic : topics) {
    const auto missed = topic->log.After(id->number);
    if (!missed) return std::nullopt;
    events.insert(events.end(), missed->begin(), missed->end());
  }
  SortByNumber(events);
  return events;
}

ChunkRef ResetEvent() {
  std::string text;
  AppendEvent({.name = "reset", .data = ""}, text);
  return std::make_shared<const Chunk>(text, 1);
}

}  // namespace

class EventTopics::Impl final {
 public:
  explicit Impl(EventTopicOptions options)
      : base_(Base(options)), last_(base_), host_{.options = std::move(options), .counts = {}} {}

  void Add(const std::string& topic) {
    ReplayLog log(topic, host_.options.replay, base_);
    if (!topics_.try_emplace(topic, std::move(log)).second) {
      throw Error("the topic " + topic + " is there already");
    }
  }

  const EventTopicState* Find(std::string_view topic) const {
    const auto found = topics_.find(topic);
    return found == topics_.end() ? nullptr : &found->second;
  }

  std::unique_ptr<Source> Join(const EventStreamOptions& options) {
    const States topics = Require(options.topics);
    return std::make_unique<EventStream>(host_, options, topics,
                                         Backlog(topics, options.last_event_id));
  }

  std::uint64_t Publish(std::string_view name, const SmallEvent& small) {
    EventTopicState& topic = Require(name);
    const std::uint64_t number = last_ + 1;
    std::string text;
    AppendEvent({.id = topic.log.IdOf(number), .name = small.name, .data = small.data}, text);
    last_ = number;
    const LoggedEvent event{number, std::make_shared<const Chunk>(text, 1)};
    auto newest = topic.newest.find(small.key);
    if (newest == topic.newest.end()) {
      newest = topic.newest.emplace(std::string(small.key), LoggedEvent{}).first;
    }
    const std::uint64_t previous = std::exchange(newest->second, event).number;
    topic.log.Append(number, event.event);
    ++host_.counts.published;
    // From the back: a stream that is evicted leaves, and the last takes its place.
    for (std::size_t i = topic.watchers.size(); i-- > 0;) {
      topic.watchers[i].stream->Offer(event, previous);
    }
    return number;
  }

  const EventTopicCounts& counts() const { return host_.counts; }

 private:
  EventTopicState& Require(std::string_view name) {
    const auto found = topics_.find(name);
    if (found == topics_.end()) throw Error("there is no topic " + std::string(name));
    return found->second;
  }

  States Require(const std::vector<std::string>& names) {
    if (names.empty()) throw Error("a stream needs at least one topic");
    States topics;
    for (const std::string& name : names) {
      EventTopicState* topic = &Require(name);
      if (std::find(topics.begin(), topics.end(), topic) == topics.end()) topics.push_back(topic);
    }
    return topics;
  }

  std::vector<LoggedEvent> Backlog(const States& topics, const std::string& last_event_id) {
    EventTopicCounts& counts = host_.counts;
    if (last_event_id.empty()) {
      ++counts.snapshots;
      return Snapshot(topics);
    }
    if (auto missed = Missed(topics, last_event_id)) {
      ++counts.replays;
      for (const auto& event : *missed) counts.replayed_bytes += event.event->body().size();
      return std::move(*missed);
    }
    ++counts.resets;
    auto events = Snapshot(topics);
    events.insert(events.begin(), LoggedEvent{0, reset_});
    return events;
  }

  const std::uint64_t base_;
  std::uint64_t last_;  // the number of the newest event of any topic
  EventStreamHost host_;
  std::map<std::string, EventTopicState, std::less<>> topics_;
  const ChunkRef reset_ = ResetEvent();
};

EventTopics::EventTopics(EventTopicOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
EventTopics::~EventTopics() = default;

void EventTopics::Add(const std::string& topic) {
  impl_->Add(topic);
}

bool EventTopics::Has(std::string_view topic) const {
  return impl_->Find(topic) != nullptr;
}

std::size_t EventTopics::streams(std::string_view topic) const {
  const EventTopicState* state = impl_->Find(topic);
  return state == nullptr ? 0 : state->watchers.size();
}

std::unique_ptr<Source> EventTopics::Join(const EventStreamOptions& options) {
  return impl_->Join(options);
}

std::uint64_t EventTopics::Publish(std::string_view topic, const SmallEvent& event) {
  return impl_->Publish(topic, event);
}

EventTopicCounts EventTopics::counts() const {
  return impl_->counts();
}

}  // namespace rpcbench
