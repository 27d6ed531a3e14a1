// Holds requests for a constant time: a first-in-first-out queue of due times and so one timer a
// loop.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "echo/hold_meter.h"
#include "echo/server.h"

namespace rpcbench {

// One a loop; used by that loop's thread only. There are two delays at most (ServerOptions::delay
// and slow_delay), so two queues keep every operation O(1) where a heap would not. The owner arms
// its timer for NextDue() and calls ReleaseDue() when it fires. Held times are stamped here, for
// every adapter alike.
template <class Item>
class DelayLine final {
 public:
  using Clock = std::chrono::steady_clock;

  // `meter` outlives the line.
  DelayLine(const ServerOptions& options, HoldMeter& meter) : meter_(meter) {
    delays_[0] = options.delay;
    delays_[1] = options.DelayFor(true);
  }
  DelayLine(const DelayLine&) = delete;
  DelayLine& operator=(const DelayLine&) = delete;

  // Takes a request whose record has this flag. `taken` is when the server had it whole.
  void Push(Item item, bool flag, Clock::time_point taken = Clock::now()) {
    if (++entered_; size() < kAFew || entered_ == static_cast<std::int64_t>(kAFew)) TellMeter();
    lanes_[flag ? 1 : 0].push_back(Entry{taken, std::move(item)});
  }

  // When the next reply is due, or nothing if none is held.
  std::optional<Clock::time_point> NextDue() const {
    std::optional<Clock::time_point> due;
    for (std::size_t lane = 0; lane < 2; ++lane) {
      if (lanes_[lane].empty()) continue;
      const auto lane_due = lanes_[lane].front().taken + delays_[lane];
      due = due ? std::min(*due, lane_due) : lane_due;
    }
    return due;
  }

  // Calls reply(Item&&) for each request that is due, the longest due first within a delay. Returns
  // how many. `reply` must not push.
  template <class Reply>
  std::size_t ReleaseDue(Reply&& reply) {
    const auto now = Clock::now();
    TellMeter();
    std::array<std::size_t, 2> due{};
    for (std::size_t lane = 0; lane < 2; ++lane) {
      const auto is_due = [&](const Entry& entry) { return entry.taken + delays_[lane] <= now; };
      const auto& held = lanes_[lane];
      // Not a binary search: stamps of several threads are not quite in order.
      due[lane] = static_cast<std::size_t>(std::find_if_not(held.begin(), held.end(), is_due) -
                                           held.begin());
    }
    // Before the replies, which let the client send anew: what another loop takes then must not be
    // counted on top of these.
    if (due[0] + due[1] > 0) meter_.Drop(static_cast<std::int64_t>(due[0] + due[1]));
    for (std::size_t lane = 0; lane < 2; ++lane) {
      auto& held = lanes_[lane];
      for (std::size_t i = 0; i < due[lane]; ++i) {
        meter_.Note(now - held.front().taken);
        Item item = std::move(held.front().item);
        held.pop_front();
        reply(std::move(item));
      }
    }
    return due[0] + due[1];
  }

  // Drops all that is held.
  void Clear() {
    TellMeter();
    meter_.Drop(static_cast<std::int64_t>(size()));
    for (auto& lane : lanes_) lane.clear();
  }

  std::size_t size() const { return lanes_[0].size() + lanes_[1].size(); }

 private:
  // Beyond these the meter is told of many requests at once: an atomic operation a request would
  // show in the figures.
  static constexpr std::size_t kAFew = 64;

  // The most held at a time is reached just before a release, so that telling it late loses
  // nothing.
  void TellMeter() {
    if (entered_ > 0) meter_.Enter(std::exchange(entered_, 0));
  }

  struct Entry {
    Clock::time_point taken;
    Item item;
  };

  HoldMeter& meter_;
  std::int64_t entered_ = 0;  // and not told the meter yet
  std::array<std::chrono::nanoseconds, 2> delays_;
  std::array<std::deque<Entry>, 2> lanes_;
};

}  // namespace rpcbench
