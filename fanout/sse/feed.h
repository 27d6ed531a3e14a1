// A small source of events for tests of the server: identity, one queue a stream, a ledger.
#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "fanout/encode/source.h"

namespace rpcbench {

// Loop thread. Outlives its sources.
class Feed final {
 public:
  // What is offered to a stream whose queue has so many is dropped.
  explicit Feed(std::size_t bound = std::numeric_limits<std::size_t>::max()) : bound_(bound) {}

  std::unique_ptr<Source> Join() { return std::make_unique<FeedSource>(*this); }

  void Publish(std::string_view data) {
    const auto chunk = std::make_shared<const Chunk>("data: " + std::string(data) + "\n\n", 1);
    for (FeedSource* source : sources_) source->Offer(chunk);
  }
  // What sources say of closing from now on.
  void CloseAll(std::string_view reason) { reason_ = reason; }

  const Ledger& ledger() const { return ledger_; }
  std::size_t streams() const { return sources_.size(); }
  std::uint64_t pending() const {
    std::uint64_t pending = 0;
    for (const FeedSource* source : sources_) pending += source->pending();
    return pending;
  }
  bool Balances() const { return ledger_.Balances(pending()); }

 private:
  class FeedSource final : public Source {
   public:
    explicit FeedSource(Feed& feed) : feed_(feed) { feed_.sources_.insert(this); }
    ~FeedSource() override {
      feed_.sources_.erase(this);
      feed_.ledger_.evicted += queue_.size();
    }
    FeedSource(const FeedSource&) = delete;
    FeedSource& operator=(const FeedSource&) = delete;

    void Offer(const ChunkRef& chunk) {
      ++feed_.ledger_.offered;
      if (queue_.size() >= feed_.bound_) {
        ++feed_.ledger_.dropped;
      } else {
        queue_.push_back(chunk);
      }
    }
    std::size_t pending() const { return queue_.size(); }

    ChunkRef Next() override { return queue_.empty() ? nullptr : queue_.front(); }
    void Sent() override {
      queue_.pop_front();
      ++feed_.ledger_.delivered;
    }
    ChunkRef Heartbeat() override { return std::make_shared<const Chunk>(":\n\n", 0); }
    std::string_view closing() const override { return feed_.reason_; }

   private:
    Feed& feed_;
    std::deque<ChunkRef> queue_;  // the front one is pending until it is sent
  };

  const std::size_t bound_;
  std::set<FeedSource*> sources_;
  Ledger ledger_;
  std::string_view reason_;
};

}  // namespace rpcbench
