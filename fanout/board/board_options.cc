#include "fanout/board/board_options.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "fanout/encode/encoder.h"
#include "measure/resources.h"

namespace rpcbench {
namespace {

// Beside the streams a process has the database, its log, pipes and the like.
constexpr std::int64_t kOtherDescriptors = 64;
constexpr double kMiB = 1 << 20;
constexpr double kMemoryShare = 0.8;  // of what is available, for encoders and kept frames
// Of a tick, for encoders: the board is rendered, frames are handed over and commands committed
// beside them, and not every tick is like the next. Seen: at 0.8 a tick in ten takes too long.
constexpr double kTickShare = 0.7;

// Seen on one core with 200 encoders, none of which is in a cache when its turn comes: 138 KB with
// 40 changes, a window of 2^19. Where nothing was seen, far too much.
double MicrosecondsAFrame(const EncoderOptions& encoder, bool shared_window) {
  if (encoder.codec == Codec::kBrotli) {
    return encoder.level <= 4 ? 400 : encoder.level <= 6 ? 900 : 10'000;
  }
  if (encoder.level > 12) return 10'000;
  const double shared = encoder.level <= 4 ? 30 : encoder.level <= 8 ? 100 : 300;
  return shared_window ? shared : 2 * shared;
}

// What one encoder holds once it has seen a board: asked of one, because the higher levels' tables
// follow no simple rule.
double BytesAnEncoder(const EncoderOptions& options, const Board& board) {
  std::string html;
  std::string bytes;
  board.Render(html);
  const std::unique_ptr<Encoder> encoder = MakeEncoder(options);
  encoder->Encode(html, bytes);
  return static_cast<double>(encoder->heap());
}

double AvailableMemory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  double kilobytes = 0;
  std::string unit;
  while (meminfo >> key >> kilobytes >> unit) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

std::string WhyNoEncoders(const BoardCase& board_case, const BoardOptions& options) {
  const EncoderOptions encoder = EncoderOf(board_case, options);
  const double tick = std::chrono::duration<double, std::micro>(options.tick).count();
  const double needed = MicrosecondsAFrame(encoder, options.shared_window) * board_case.streams;
  const int threads = EncodeThreads(board_case, options);
  if (needed > kTickShare * tick * threads) {
    return fmt::format(
        "{} encoders of {} need about {:.1f} cores at {:.0f} ticks a second, and this row has {} "
        "for everything",
        board_case.streams, NameOf(encoder), needed / tick, 1e6 / tick, threads);
  }
  const Board board(options.seed, options.cards);
  const double bytes = BytesAnEncoder(encoder, board) * board_case.streams;
  const double available = AvailableMemory();
  if (available > 0 && bytes > kMemoryShare * available) {
    return fmt::format("{} encoders of {} need about {:.1f} GiB, and {:.1f} are available",
                       board_case.streams, NameOf(encoder), bytes / (1024 * kMiB),
                       available / (1024 * kMiB));
  }
  return "";
}

}  // namespace

std::string NameOf(const BoardCase& board_case) {
  return fmt::format("BenchmarkSharedBoard/{}/{}/{}/{}/streams:{}", ToString(board_case.codec),
                     ToString(board_case.synchronous), board_case.cohort ? "cohort" : "per_stream",
                     board_case.wire ? "wire" : "sink", board_case.streams);
}

EncoderOptions EncoderOf(const BoardCase& board_case, const BoardOptions& options) {
  switch (board_case.codec) {
    case Codec::kZstd:
      return options.zstd;
    case Codec::kBrotli:
      return options.brotli;
    case Codec::kIdentity:
      break;
  }
  return DefaultEncoder(Codec::kIdentity);
}

int EncodeThreads(const BoardCase& board_case, const BoardOptions& options) {
  if (board_case.cohort) return 1;
  if (options.encode_threads > 0) return options.encode_threads;
  const auto& cpus = board_case.wire ? options.server_cpus : options.all_cpus;
  return static_cast<int>(cpus.empty() ? AllowedCpus().size() : cpus.size());
}

std::string WhyNot(const BoardCase& board_case, const BoardOptions& options) {
  if (board_case.wire) {
    const std::int64_t needed = board_case.streams + kOtherDescriptors;
    const std::int64_t allowed = RaiseDescriptorLimit();
    if (needed > allowed) {
      return fmt::format("{} streams need {} descriptors, and a process may have {}",
                         board_case.streams, needed, allowed);
    }
  }
  return board_case.cohort ? "" : WhyNoEncoders(board_case, options);
}

}  // namespace rpcbench
