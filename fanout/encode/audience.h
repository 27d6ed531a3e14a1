// Who watches a topic, as numbers: how many events there were, and what became of them for each
// stream. Publishing costs the same for any number of streams; each stream keeps its place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fanout/encode/source.h"

namespace rpcbench {

// Events are numbered from 1. One thread.
class Audience final {
 public:
  std::uint64_t newest() const { return newest_; }  // 0: there was none yet
  std::uint64_t floor() const { return floor_; }    // what is before must not be shown any more
  std::size_t streams() const { return streams_; }
  const Ledger& ledger() const { return ledger_; }

  // Events that were offered and not yet sent. Does not look at the ledger, so that one can be
  // checked against the other.
  std::uint64_t pending() const { return streams_ * (newest_ + 1) - sum_of_next_ + taken_; }

  void Publish() {
    ++newest_;
    ledger_.offered += streams_;
  }
  void Seal() { floor_ = newest_; }

 private:
  friend class Place;

  std::uint64_t newest_ = 0;
  std::uint64_t floor_ = 0;
  std::uint64_t streams_ = 0;
  std::uint64_t sum_of_next_ = 0;  // over all streams, modulo 2^64 as pending() is
  std::uint64_t taken_ = 0;        // by streams that have not said Sent
  Ledger ledger_;
};

// One stream's place in the events of its topic.
class Place final {
 public:
  explicit Place(Audience& audience)
      : audience_(audience), next_(audience.newest_ == 0 ? 1 : audience.newest_) {
    ++audience_.streams_;
    audience_.sum_of_next_ += next_;
    audience_.ledger_.offered += behind();
  }
  ~Place() {
    audience_.ledger_.evicted += behind() + taken_;
    audience_.taken_ -= taken_;
    audience_.sum_of_next_ -= next_;
    --audience_.streams_;
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  std::uint64_t next() const { return next_; }  // the event that is to be taken next
  std::uint64_t behind() const { return audience_.newest_ + 1 - next_; }
  bool busy() const { return taken_ != 0; }  // took events that are not sent yet

  // Takes `count` events from `first` on; not while busy. Those between the last one taken and
  // `first` were replaced by newer ones; those before what this stream was offered come on top of
  // it.
  void Take(std::uint64_t first, std::uint32_t count) {
    if (first < next_) {
      audience_.ledger_.offered += next_ - first;
    } else {
      audience_.ledger_.coalesced += first - next_;
    }
    audience_.sum_of_next_ += first + count - next_;
    next_ = first + count;
    Hold(count);
  }

  // Takes one event that is none of the topic's.
  void TakeOwn() {
    ++audience_.ledger_.offered;
    Hold(1);
  }

  void Sent() {
    audience_.ledger_.delivered += taken_;
    audience_.taken_ -= taken_;
    taken_ = 0;
  }

 private:
  void Hold(std::uint32_t count) {
    taken_ = count;
    audience_.taken_ += count;
  }

  Audience& audience_;
  std::uint64_t next_;
  std::uint32_t taken_ = 0;
};

}  // namespace rpcbench
