// How many streams are decoded on their own: as many as fit in a share of the core.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace rpcbench {

// Prices an event by what events cost so far. The first ones of a board are whole pages, so the
// price errs to the dear side. One thread.
class DecodeBudget final {
 public:
  static constexpr std::size_t kLeast = 20;  // streams, whatever they cost

  explicit DecodeBudget(double share) : share_(share) {}

  bool HasRoom() const {
    if (streams_ < kLeast) return true;
    if (events_ < kLeast) return false;  // no price yet
    const double price =
        std::chrono::duration<double>(spent_).count() / static_cast<double>(events_);
    return static_cast<double>(streams_ + 1) * price * kEventsPerSecond < share_;
  }

  void Enter() { ++streams_; }
  void Leave() { --streams_; }
  void Spend(std::chrono::nanoseconds time, std::size_t events) {
    spent_ += time;
    events_ += events;
  }

  std::size_t streams() const { return streams_; }

 private:
  static constexpr double kEventsPerSecond = 20;  // of a stream: the rate of every workload here

  const double share_;
  std::size_t streams_ = 0;
  std::chrono::nanoseconds spent_{0};
  std::uint64_t events_ = 0;
};

}  // namespace rpcbench
