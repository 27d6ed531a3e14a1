// zstd (RFC 8878) by libzstd 1.5.4: one frame that never ends, flushed after each text. Neither
// checksum nor content size: the one would come at an end that there is not, the other is unknown.
#include <fmt/format.h>
#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_createCCtx_advanced, ZSTD_getCParams, ZSTD_c_maxBlockSize
#include <zstd.h>

#include <algorithm>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"
#include "fanout/encode/heap.h"

namespace rpcbench {
namespace {

// libzstd counts the window back from a block's end, so that a block's first byte reaches less far
// by the block's size: with blocks of 128 KB in a window of 2^18 a frame of 138 KB is mostly out of
// reach. Blocks of an eighth of the window avoid that (seen: half the bytes and a third less time).
// They also save heap, because beside the window and the tables (64 KB at level 1) an encoder holds
// four times a block's size: output, literals, sequences, and a block of input.
constexpr int kWindowsShareLog = 3;
constexpr int kLeastBlock = 1 << 10;  // libzstd's bounds
constexpr int kMostBlock = ZSTD_BLOCKSIZE_MAX;

// Low memory: smaller blocks, which cost a few bytes each, and tables of at most 2^15 entries.
// Those hold one position in five of a board's frame; a match is then found a little later and
// extended backwards. At 2^19 bytes of window that is 0.7 MiB instead of 1.0 at level 1, 0.9
// instead of 1.6 at level 3.
constexpr int kSmallBlock = 16 << 10;
constexpr int kSmallTableLog = 15;

// Enough for most frames of a board; a whole first frame doubles it a few times.
constexpr std::size_t kFirstRoom = 4 << 10;

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder(const EncoderOptions& options, std::size_t heap_limit)
      : name_(NameOf(options)), heap_(heap_limit) {
    const ZSTD_customMem memory{CountingHeap::AllocateFrom, CountingHeap::FreeTo, &heap_};
    context_ = std::unique_ptr<ZSTD_CCtx, Free>(ZSTD_createCCtx_advanced(memory));
    if (!context_) throw Error(fmt::format("{}: no memory for an encoder", name_));
    Set(ZSTD_c_compressionLevel, options.level);
    Set(ZSTD_c_windowLog, options.window_log);
    Set(ZSTD_c_contentSizeFlag, 0);
    Set(ZSTD_c_checksumFlag, 0);
    const int block = std::clamp(1 << options.window_log >> kWindowsShareLog, kLeastBlock,
                                 options.low_memory ? kSmallBlock : kMostBlock);
    Set(ZSTD_c_maxBlockSize, block);
    if (options.low_memory) ShrinkTables(options.level);
  }

  void Encode(std::string_view text, std::string& out) override {
    const std::size_t begin = out.size();
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    std::size_t end = begin;
    std::size_t left = 1;
    for (std::size_t room = kFirstRoom; left > 0; room *= 2) {
      out.resize(end + room);
      ZSTD_outBuffer free{out.data() + end, room, 0};
      left = ZSTD_compressStream2(context_.get(), &free, &in, ZSTD_e_flush);
      if (ZSTD_isError(left)) {
        out.resize(begin);
        throw Error(fmt::format("{} cannot encode a text of {} bytes: {}", name_, text.size(),
                                ZSTD_getErrorName(left)));
      }
      end += free.pos;
    }
    out.resize(end);
  }

  std::size_t heap() const override { return heap_.bytes(); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  void Set(ZSTD_cParameter parameter, int value) {
    const std::size_t result = ZSTD_CCtx_setParameter(context_.get(), parameter, value);
    if (!ZSTD_isError(result)) return;
    throw Error(fmt::format("{}: parameter {} of libzstd cannot be {}: {}", name_,
                            static_cast<int>(parameter), value, ZSTD_getErrorName(result)));
  }

  void ShrinkTables(int level) {
    const ZSTD_compressionParameters usual = ZSTD_getCParams(level, 0, 0);
    Set(ZSTD_c_hashLog, std::min(static_cast<int>(usual.hashLog), kSmallTableLog));
    Set(ZSTD_c_chainLog, std::min(static_cast<int>(usual.chainLog), kSmallTableLog));
  }

  const std::string name_;
  CountingHeap heap_;  // outlives the context
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<Encoder> MakeZstdEncoder(const EncoderOptions& options, std::size_t heap_limit) {
  return std::make_unique<ZstdEncoder>(options, heap_limit);
}

}  // namespace rpcbench
