// One encoder for many streams. A decoder needs every byte from the start of the zstd frame or
// brotli stream, so the output is kept as a log: a joiner is sent the log from its start, and then
// lives on the shared chunks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "fanout/encode/canary.h"
#include "fanout/encode/chunk.h"
#include "fanout/encode/encoder.h"

namespace rpcbench {

struct CohortOptions {
  std::uint64_t first_event = 1;  // the number of the event that starts the log
  std::size_t log_events = 8;     // past either bound there are no more joiners
  std::size_t log_decoded_bytes = 4 << 20;
  std::size_t lag_events = 8;  // no more is kept for members once joiners do not need it
};

// One thread. Members are indices into the log, and those indices are event numbers: a live cohort
// encodes each event of its topic, each into one chunk.
class Cohort final {
 public:
  // `canary` may be null: no check. `opening` is what the encoder was already made to write before
  // the first event; joiners are sent it unless they have it.
  Cohort(std::unique_ptr<Encoder> encoder, std::unique_ptr<Canary> canary, std::string opening,
         const CohortOptions& options);
  ~Cohort();

  // An event goes in three steps, and its bytes reach nobody before the last. Encode throws Error;
  // Check says whether the canary reads the text. Retire the cohort after either failed.
  void Encode(std::string_view text);
  bool Check(std::string_view text);
  void Commit();
  std::size_t encoded_bytes() const { return staged_.size(); }  // of the last Encode

  // No more events: frees the encoder. Members may still take what is in the log.
  void Retire();
  void CloseToJoiners();

  bool live() const { return encoder_ != nullptr; }
  bool takes_joiners() const { return open_; }
  std::uint64_t first_event() const { return options_.first_event; }
  std::size_t members() const { return members_; }
  std::size_t log_size() const { return log_.size(); }
  std::size_t heap() const { return encoder_ ? encoder_->heap() : 0; }

  // The log as one chunk, made once for all who ask before the next Commit. While takes_joiners().
  // With `opening` it starts with what the constructor was given; with `end_of_frame`, for who
  // comes out of another zstd frame, it ends that frame first.
  enum class Lead { kNone, kOpening, kEndOfFrame };
  ChunkRef Replay(Lead lead);

  // A member that was sent the Replay, and waits for what comes after it.
  void Enter();
  bool Has(std::uint64_t event) const { return event >= base_ && event < base_ + log_.size(); }
  // The chunk of the event that the member waits for, which Has; it then waits for the next one.
  ChunkRef Take(std::uint64_t event);
  // `event`: what the member waited for.
  void Leave(std::uint64_t event);

 private:
  struct Entry {
    ChunkRef chunk;
    std::size_t waiting;  // members that are to take it next
  };

  std::size_t& WaitingFor(std::uint64_t event);
  void Trim();

  CohortOptions options_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Canary> canary_;
  std::string opening_;
  std::string staged_;
  std::deque<Entry> log_;
  std::uint64_t base_;                // the event of log_.front()
  std::size_t waiting_for_more_ = 0;  // members that took all there is
  std::size_t members_ = 0;
  std::size_t decoded_bytes_ = 0;
  std::array<ChunkRef, 3> replays_;  // by Lead
  bool open_ = true;
};

}  // namespace rpcbench
