// A row of BenchmarkBoardLevels: the shared board's frames through one setting of an encoder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/row.h"
#include "fanout/encode/codec.h"

namespace rpcbench {

struct LevelsOptions {
  EncoderOptions encoder;
  bool shared_window = false;  // zstd: one for all streams
  int streams = 200;           // that watch the board
  int ticks = 200;             // measured: 10 s of the board
  std::size_t most_heap = std::size_t{4}
                          << 30;  // bytes; fewer streams are made where all hold more
  std::uint64_t seed = 1;
};

// One board, frame after frame as fast as they can be encoded, for every stream an encoder of its
// own. Per frame 40 cards, drawn from 200, get one more: 800 commands/s at 20 ticks/s.
class LiveLevels final : public LiveRow {
 public:
  // Throws Error.
  explicit LiveLevels(const LevelsOptions& options);

  // An iteration is a new board with new encoders: a fifth of the ticks to warm up, then those that
  // are measured. It has to be the same span of the board's life for all settings, because frames
  // cost most while many counts get their second digit. Counters: bytes_frame, us_frame (CPU),
  // heap_stream, tick_p50_ms and tick_p99_ms over all ticks, `ticks`, and `streams`, how many
  // encoders there were. Where that is less than the options' streams, the ticks' times are in
  // proportion. `cores` is computed: us_frame times 200 streams times 19.8 ticks/s.
  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  const LevelsOptions options_;
  const int streams_;  // that fit
};

// A frame of the board as it is sent, in bytes: about 140,000.
std::size_t BoardFrameBytes(std::uint64_t seed);

}  // namespace rpcbench
