#include "fanout/encode/topic_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostStreams = 24;
constexpr std::ptrdiff_t kMostRecordings = 4;  // of a codec
constexpr std::uint64_t kLongLife = 12;        // events

// Bounds so tight that each is met often; which one closes a log first depends on the seed.
TopicOptions TightOptions(std::uint64_t seed) {
  TopicOptions options;
  options.log_events = 4;
  options.log_decoded_bytes = seed % 2 == 0 ? 5'000 : 100'000;
  options.lag_events = 3;
  options.epoch = 1s;
  options.rotation = 8s;
  options.join_bytes_per_second = 5'000;
  options.zstd.window_log = 12;  // of two events, in a ring of eight
  options.shared_window_bytes = 16 << 10;
  return options;
}

}  // namespace

TopicWorld::TopicWorld(std::uint64_t seed) : random_(seed), rig_(TightOptions(seed)) {}

TopicWorld::~TopicWorld() = default;

void TopicWorld::Step() {
  const std::uint64_t what = Below(100);
  if (what < 25) {
    Publish();
  } else if (what < 33) {
    Join();
  } else if (what < 36 && !streams_.empty()) {
    Leave(Below(streams_.size()));
  } else if (what < 39) {
    Trouble();
  } else if (!streams_.empty()) {
    Stream& stream = streams_[Below(streams_.size())];
    if (what < 45) {
      stream.stalls_until = rig_.newest() + Below(12);
    } else if (what < 52) {
      if (!stream.watcher->busy() && stream.watcher->closing().empty()) {
        stream.watcher->Beat();
      }
    } else {
      Pull(stream);
    }
  }
  Check();
}

void TopicWorld::CalmDown() {
  rig_.faults = {};
  rig_.Publish();
  for (std::size_t i = streams_.size(); i-- > 0;) {
    Watcher& watcher = *streams_[i].watcher;
    rig_.Tick(1s);  // room in the budget of joins
    watcher.CatchUp();
    if (!watcher.closing().empty()) {
      Leave(i);
    } else if (watcher.last() != rig_.newest() && fault_.empty()) {
      fault_ = fmt::format("a stream ended at event {} of {}", watcher.last(), rig_.newest());
    }
  }
  Check();
}

void TopicWorld::Close() {
  while (!streams_.empty()) {
    Leave(streams_.size() - 1);
  }
  Check();
}

// A splice would mend it: none may be due.
bool TopicWorld::LoseOneChunk(Codec codec) {
  rig_.faults = {};
  rig_.topic().Merge();
  rig_.Publish();
  for (Stream& stream : streams_) {
    if (stream.codec == codec && stream.shared && stream.watcher->last() > 0 &&
        stream.watcher->closing().empty()) {
      stream.watcher->CatchUp();
      rig_.Publish();
      stream.watcher->Lose();
      for (int event = 0; event < 3; ++event) {
        rig_.Publish();
        stream.watcher->CatchUp();
        CheckStream(stream);
      }
      return true;
    }
  }
  return false;
}

void TopicWorld::Join() {
  if (streams_.size() == kMostStreams) {
    return;
  }
  const Codec codec =
      std::array{Codec::kZstd, Codec::kZstd, Codec::kBrotli, Codec::kIdentity}[Below(4)];
  const bool shared = Below(5) != 0;
  const bool greeted = Below(5) == 0;
  try {
    streams_.push_back({.watcher = greeted ? rig_.JoinWithFirst(codec, shared, "somebody")
                                           : rig_.Join(codec, shared),
                        .codec = codec,
                        .shared = shared,
                        .stalls_until = 0});
  } catch (const Error&) {
    // No encoder can be made now, and the client was told.
  }
}

void TopicWorld::Leave(std::size_t index) {
  std::swap(streams_[index], streams_.back());
  const Watcher& watcher = *streams_.back().watcher;
  sent_by_those_gone_ += watcher.sent();
  const Codec codec = streams_.back().codec;
  const auto recorded = std::count_if(recordings_.begin(), recordings_.end(),
                                      [codec](const Recording& r) { return r.codec == codec; });
  // All that was taken is recorded, sent or not.
  if (recorded < kMostRecordings && watcher.sent() >= kLongLife) {
    recordings_.push_back({codec, watcher.wire(), watcher.text()});
  }
  CheckStream(streams_.back());
  streams_.pop_back();
}

void TopicWorld::Publish() {
  rig_.Publish();
  // An untruth of a private encoder would reach its client: none is asked for here.
  rig_.faults.lies = 0;
  for (std::size_t i = streams_.size(); i-- > 0;) {
    if (!streams_[i].watcher->closing().empty()) {
      Leave(i);
    } else if (streams_[i].stalls_until <= rig_.newest() && Below(3) != 0) {
      Pull(streams_[i]);
    }
  }
}

void TopicWorld::Pull(Stream& stream) {
  Watcher& watcher = *stream.watcher;
  watcher.Finish();
  const std::uint64_t before = watcher.last();
  if (Below(4) == 0 || !watcher.Take() || watcher.last() == before) {
    return;
  }
  // A chunk of the topic's events is a run of them.
  const std::uint64_t first = watcher.last() + 1 - watcher.chunk()->events();
  if (first < floor_ && fault_.empty()) {
    fault_ = fmt::format("event {} was shown though all before {} were sealed", first, floor_);
  }
}

void TopicWorld::Trouble() {
  switch (Below(6)) {
    case 0:
      rig_.topic().Seal();
      floor_ = rig_.newest();
      break;
    case 1:
      rig_.topic().Merge();
      break;
    case 2:
      rig_.faults.throws = 1;
      break;
    case 3:
      rig_.faults.lies = 1;
      Publish();
      break;
    case 4:
      rig_.faults.broken = Below(2) == 0;
      rig_.Tick(2s);
      break;
    default:
      rig_.Tick(100ms);
      break;
  }
}

void TopicWorld::Check() {
  std::uint64_t pending = 0;
  std::uint64_t sent = sent_by_those_gone_;
  for (const Stream& stream : streams_) {
    CheckStream(stream);
    pending += stream.watcher->Pending(rig_.newest());
    sent += stream.watcher->sent();
  }
  const TopicCounts counts = rig_.counts();
  if (!fault_.empty()) {
    return;
  }
  if (counts.pending != pending || counts.ledger.delivered != sent) {
    fault_ = fmt::format("{} events are pending and {} delivered, the topic says {} and {}",
                         pending, sent, counts.pending, counts.ledger.delivered);
  } else if (!counts.ledger.Balances(counts.pending)) {
    fault_ = "the ledger does not balance";
  }
}

void TopicWorld::CheckStream(const Stream& stream) {
  if (fault_.empty() && !stream.watcher->fault().empty()) {
    fault_ = fmt::format("{}: {}", ToString(stream.codec), stream.watcher->fault());
  }
}

}  // namespace rpcbench
