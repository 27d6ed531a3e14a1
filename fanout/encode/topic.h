// One content that many streams watch, where each event is the whole newest state: a board.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fanout/encode/codec.h"
#include "fanout/encode/encoder.h"
#include "fanout/encode/source.h"

namespace rpcbench {

struct TopicOptions {
  EncoderOptions zstd = DefaultEncoder(Codec::kZstd);
  EncoderOptions brotli = DefaultEncoder(Codec::kBrotli);
  // A joiner is sent a cohort's log from its start. Past either bound the next joiner opens a new
  // cohort.
  std::size_t log_events = 8;
  std::size_t log_decoded_bytes = 4 << 20;
  std::chrono::nanoseconds epoch = std::chrono::seconds(30);  // zstd: all are merged this often
  std::chrono::nanoseconds rotation =
      std::chrono::minutes(5);  // brotli: a connection lives so long
  std::size_t lag_events = 8;   // a member so far behind is moved (zstd) or closed (brotli)
  std::size_t join_bytes_per_second = 64 << 20;  // of replayed logs; past it a joiner waits
  // zstd streams with an encoder of their own look back into one copy of what was published instead
  // of one each. One that pauses until it is overwritten is closed.
  bool shared_window = true;
  std::size_t shared_window_bytes = 8 << 20;  // at least four windows
  int encode_threads = 1;  // for streams with an encoder of their own; the caller's is one of them
  bool canary = true;      // decode each cohort's bytes as they are made, and compare

  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  // A ring for an encoder that has no window of its own, otherwise null.
  std::function<std::unique_ptr<Encoder>(const EncoderOptions&, const TextRing*)> make_encoder =
      MakeEncoder;
};

struct TopicCounts {
  Ledger ledger;  // of all streams there are and were
  std::uint64_t pending = 0;
  std::size_t members = 0;    // of cohorts
  std::size_t privates = 0;   // streams with an encoder of their own: ?cohort=0
  std::size_t cohorts = 0;    // encoders there are now, without the private ones
  std::uint64_t encodes = 0;  // calls of Encode, cohorts and private ones
  std::uint64_t encoded_bytes = 0;
  std::uint64_t merges = 0;         // of all zstd cohorts into one
  std::uint64_t laggard_moves = 0;  // zstd members moved because they were behind
  std::uint64_t first_frames = 0;   // private ones, of JoinWithFirst
  std::uint64_t rotations = 0;      // brotli streams that left once their time was up
  std::uint64_t failures = 0;    // of encoders or canaries; each moved its members to a new cohort
  std::size_t encoder_heap = 0;  // bytes that all encoders hold now, and what they look back into
  std::chrono::nanoseconds encode_cpu{0};  // all threads' CPU inside encoders (canaries apart)
  std::chrono::nanoseconds canary_cpu{0};
};

// One thread. Sources must be gone before their topic.
class Topic final {
 public:
  using Clock = std::chrono::steady_clock;

  // Throws Error for levels and windows that CheckEncoder refuses.
  explicit Topic(const TopicOptions& options);
  ~Topic();
  Topic(const Topic&) = delete;
  Topic& operator=(const Topic&) = delete;

  // A stream that is sent the newest event first, then those to come. `shared` false: an encoder of
  // its own, for clients that do not take several zstd frames, and to compare with. Identity is
  // always shared: it has no encoder. Throws Error if no encoder can be made.
  std::unique_ptr<Source> Join(Codec codec, bool shared);

  // Likewise, but `first`, an event in the stream's format, comes before all and to this stream
  // alone. zstd carries it in a frame of its own and the stream is shared all the same; brotli has
  // no second frame, so that such a stream gets an encoder of its own.
  std::unique_ptr<Source> JoinWithFirst(Codec codec, bool shared, std::string_view first);

  // The newest state as one event in the stream's format (fanout/sse/event.h). Encodes once a
  // cohort; private sources encode when they are asked for their next chunk, and only the newest,
  // or here with more than one thread. The caller then kicks the streams.
  void Publish(std::string_view event);

  // Time passes: what is due is rotated, or merged by the next Publish, which does all of this too.
  // True if streams that had to wait may go on: kick them then.
  bool Tick(Clock::time_point now);

  // The next Publish merges as the end of an epoch does: of use once many have joined in a row.
  void Merge();

  // From now on nobody is shown states before the newest, not even who is behind (brotli: closed):
  // what was deleted or forbidden must not be replayed. Call it right after the Publish of the
  // state that lacks it. The next joiner of each codec opens a new cohort.
  void Seal();

  TopicCounts counts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rpcbench
