// zstd (RFC 8878) by libzstd 1.5.4: one frame that never ends, flushed after each text. Neither
// checksum nor content size: the one would come at an end that there is not, the other is unknown.
#include <fmt/format.h>
#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_createCCtx_advanced, ZSTD_getCParams, ZSTD_c_maxBlockSize
#include <zstd.h>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"
#include "fanout/encode/heap.h"
#include "fanout/encode/zstd_settings.h"

namespace rpcbench {
namespace {

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
    Set(ZSTD_c_maxBlockSize, static_cast<int>(ZstdBlockOf(options)));
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
    ZSTD_compressionParameters settings = ZSTD_getCParams(level, 0, 0);
    ShrinkZstdTables(settings);
    Set(ZSTD_c_hashLog, static_cast<int>(settings.hashLog));
    Set(ZSTD_c_chainLog, static_cast<int>(settings.chainLog));
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
