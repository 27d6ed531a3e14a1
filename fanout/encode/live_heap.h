// A row of BenchmarkHeapPerStream: 200 frames of a 57 KB page to each of 20 streams.
#pragma once

#include <cstdint>

#include "bench/row.h"
#include "fanout/encode/codec.h"

namespace rpcbench {

class LiveHeap final : public LiveRow {
 public:
  static constexpr int kStreams = 20;
  static constexpr int kFrames = 200;

  LiveHeap(const EncoderOptions& encoder, bool shared_window, std::uint64_t seed)
      : encoder_(encoder), shared_window_(shared_window), seed_(seed) {}

  // An iteration makes 20 new encoders and sends each 200 frames, frame by frame to all. Counters:
  // bytes_frame and us_frame (CPU) of the 199 frames that follow the first, bytes_first and
  // us_first of the first, which has nothing to refer to, and heap_stream after the last.
  RowResult Run(std::int64_t iterations, Count count) override;

 private:
  const EncoderOptions encoder_;
  const bool shared_window_;
  const std::uint64_t seed_;
};

}  // namespace rpcbench
