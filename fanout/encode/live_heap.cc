#include "fanout/encode/live_heap.h"

#include <string>

#include "fanout/encode/encoder_set.h"
#include "fanout/encode/heap_page.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

// Of frames of one kind, all streams together.
struct Sum {
  double frames = 0;
  double bytes = 0;
  EncodeCost cost;

  void Add(const EncoderSet& encoders, const EncodeCost& of_frame) {
    frames += encoders.streams();
    bytes += static_cast<double>(encoders.bytes());
    cost.cpu += of_frame.cpu;
    cost.wall += of_frame.wall;
  }
  double MeanBytes() const { return bytes / frames; }
  double MeanMicros() const {
    return std::chrono::duration<double, std::micro>(cost.cpu).count() / frames;
  }
};

}  // namespace

RowResult LiveHeap::Run(std::int64_t iterations, Count) {
  RowResult result;
  Sum first;
  Sum later;
  double heap = 0;
  std::string frame;
  for (std::int64_t i = 0; i < iterations; ++i) {
    EncoderSet encoders(encoder_, kStreams, shared_window_);
    HeapPage page(seed_);
    for (int number = 0; number < kFrames; ++number) {
      ThrowIfInterrupted();
      if (number > 0) page.Change();
      frame.clear();
      page.Render(frame);
      const EncodeCost cost = encoders.Encode(frame);
      (number == 0 ? first : later).Add(encoders, cost);
      const std::string wrong = encoders.Check(frame);
      if (wrong.empty()) continue;
      result.violations.push_back(wrong);
      return result;
    }
    heap = static_cast<double>(encoders.heap()) / kStreams;
  }
  result.seconds = first.cost.wall + later.cost.wall;
  result.counters = {{"bytes_frame", later.MeanBytes()},
                     {"us_frame", later.MeanMicros()},
                     {"bytes_first", first.MeanBytes()},
                     {"us_first", first.MeanMicros()},
                     {"heap_stream", heap},
                     {"streams", kStreams}};
  return result;
}

}  // namespace rpcbench
