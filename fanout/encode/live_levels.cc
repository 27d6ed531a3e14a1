#include "fanout/encode/live_levels.h"

#include <algorithm>
#include <random>
#include <string>

#include "fanout/board/board.h"
#include "fanout/encode/encoder_set.h"
#include "measure/latency.h"
#include "process/signal_wait.h"

namespace rpcbench {
namespace {

constexpr int kCommandsATick = 40;
constexpr int kWarmUpShare = 5;  // one tick for so many that are measured

// The published board, which `cores` is computed for.
constexpr double kBoardStreams = 200;
constexpr double kTicksPerSecond = 19.8;

void RenderFrame(const Board& board, std::string& frame) {
  frame = "data: ";
  board.Render(frame);
  frame += "\n\n";
}

// As many as stay within the heap that is allowed, by what one holds after some frames.
int StreamsThatFit(const LevelsOptions& options) {
  constexpr int kFrames = 3;
  EncoderSet one(options.encoder, 1, options.shared_window);
  std::string frame;
  RenderFrame(Board(options.seed), frame);
  for (int i = 0; i < kFrames; ++i) one.Encode(frame);
  const std::size_t fit = options.most_heap / std::max<std::size_t>(one.heap(), 1);
  return static_cast<int>(
      std::clamp<std::size_t>(fit, 1, static_cast<std::size_t>(options.streams)));
}

// The frames of a board's life, one after the other.
class Play final {
 public:
  explicit Play(std::uint64_t seed) : engine_(seed), board_(seed, kCards, kUsedFrom) {}

  const std::string& Next() {
    ThrowIfInterrupted();
    for (int i = 0; i < kCommandsATick; ++i) {
      board_.Increment(static_cast<int>(engine_() % static_cast<std::uint64_t>(board_.cards())));
    }
    RenderFrame(board_, frame_);
    return frame_;
  }

 private:
  std::mt19937_64 engine_;
  Board board_;
  std::string frame_;
};

// What the measured ticks of a row took, over all iterations.
struct Ticks {
  LatencyLog walls;
  EncodeCost cost;
  double frames = 0;
  double bytes = 0;

  void Add(const EncodeCost& tick, const EncoderSet& encoders) {
    walls.Add(tick.wall);
    cost.wall += tick.wall;
    cost.cpu += tick.cpu;
    frames += encoders.streams();
    bytes += static_cast<double>(encoders.bytes());
  }
};

Counters CountersOf(const Ticks& ticks, double streams, double watching) {
  LatencySet walls;
  walls.Merge(ticks.walls);
  walls.Sort();
  const double us_frame =
      std::chrono::duration<double, std::micro>(ticks.cost.cpu).count() / ticks.frames;
  const double to_ms = 1e3 * watching / streams;
  return {{"bytes_frame", ticks.bytes / ticks.frames},
          {"us_frame", us_frame},
          {"cores", us_frame * kBoardStreams * kTicksPerSecond / 1e6},
          {"tick_p50_ms", walls.Percentile(0.50).count() * to_ms},
          {"tick_p99_ms", walls.Percentile(0.99).count() * to_ms},
          {"ticks", static_cast<double>(walls.count())},
          {"streams", streams}};
}

}  // namespace

std::size_t BoardFrameBytes(std::uint64_t seed) {
  std::string frame;
  RenderFrame(Board(seed), frame);
  return frame.size();
}

LiveLevels::LiveLevels(const LevelsOptions& options)
    : options_(options), streams_(StreamsThatFit(options)) {}

RowResult LiveLevels::Run(std::int64_t iterations, Count) {
  const int warm_up = options_.ticks / kWarmUpShare;
  Ticks ticks;
  ticks.walls.Reset(static_cast<std::size_t>(iterations * options_.ticks));
  double heap = 0;
  RowResult result;
  for (std::int64_t i = 0; i < iterations; ++i) {
    Play play(options_.seed);
    EncoderSet encoders(options_.encoder, streams_, options_.shared_window);
    for (int tick = 0; tick < warm_up + options_.ticks; ++tick) {
      const std::string& frame = play.Next();
      const EncodeCost cost = encoders.Encode(frame);
      if (tick >= warm_up) ticks.Add(cost, encoders);
      const std::string wrong = encoders.Check(frame);
      if (wrong.empty()) continue;
      result.violations.push_back(wrong);
      return result;
    }
    heap = static_cast<double>(encoders.heap()) / streams_;
  }
  result.seconds = ticks.cost.wall;
  result.counters = CountersOf(ticks, streams_, options_.streams);
  result.counters["heap_stream"] = heap;
  return result;
}

}  // namespace rpcbench
