// For tests of topics: a topic whose time, encoders and streams are in the test's hand.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fanout/encode/faulty_encoder.h"
#include "fanout/encode/topic.h"
#include "fanout/encode/watcher.h"

namespace rpcbench {

class TopicRig final {
 public:
  using Duration = std::chrono::nanoseconds;

  // Everything but the clock and the encoders is taken as it is.
  explicit TopicRig(TopicOptions options) {
    options.now = [this] { return now_; };
    options.make_encoder = MakeFaulty(faults);
    topic_ = std::make_unique<Topic>(options);
  }

  Topic& topic() { return *topic_; }
  TopicCounts counts() const { return topic_->counts(); }
  std::uint64_t newest() const { return newest_; }

  std::unique_ptr<Watcher> Join(Codec codec, bool shared = true) {
    return std::make_unique<Watcher>(topic_->Join(codec, shared), codec, newest_);
  }
  std::unique_ptr<Watcher> JoinWithFirst(Codec codec, bool shared, std::string_view client) {
    return std::make_unique<Watcher>(topic_->JoinWithFirst(codec, shared, HelloEvent(client)),
                                     codec, newest_, true);
  }

  // The next events, a tick apart.
  void Publish(int events = 1) {
    for (int i = 0; i < events; ++i) {
      now_ += std::chrono::milliseconds(50);
      topic_->Publish(BoardEvent(++newest_));
    }
  }
  // What a server does each tick: publish, then kick those that are named.
  void PublishTo(const std::vector<Watcher*>& watchers, int events = 1) {
    for (int i = 0; i < events; ++i) {
      Publish();
      std::for_each(watchers.begin(), watchers.end(), [](Watcher* w) { w->CatchUp(); });
    }
  }
  void Pass(Duration time) { now_ += time; }
  bool Tick(Duration time = {}) {
    Pass(time);
    return topic_->Tick(now_);
  }

  Faults faults;

 private:
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
  std::uint64_t newest_ = 0;
  std::unique_ptr<Topic> topic_;
};

}  // namespace rpcbench
