// zstd (RFC 8878) by libzstd 1.5.4 without a window of its own: the library's buffer-less interface
// looks back into the memory that it was given, and all streams of a topic are given the same. An
// encoder is left with its tables. Seen with 200 streams of the board: a third of the time a frame,
// because neither a copy is made nor history fetched that no other stream has in a cache.
#include <fmt/format.h>
#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_createCCtx_advanced, ZSTD_compressBegin_advanced, ...
#define ZSTD_DISABLE_DEPRECATE_WARNINGS  // 1.5.4 advises against all of the interface, and keeps it
#include <zstd.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"
#include "fanout/encode/heap.h"
#include "fanout/encode/text_ring.h"
#include "fanout/encode/zstd_settings.h"

namespace rpcbench {
namespace {

// Texts that this encoder was given one after the other and that lie in the ring likewise, or one
// that is not in the ring.
struct Run {
  std::uint64_t begin = 0;  // among all bytes that this encoder was given
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;            // in the ring
  std::unique_ptr<std::string> own{};  // a copy of what is not in the ring

  std::uint64_t end() const { return begin + bytes; }
};

class ZstdRingEncoder final : public Encoder {
 public:
  ZstdRingEncoder(const EncoderOptions& options, const TextRing& ring)
      : name_(NameOf(options)),
        ring_(ring),
        window_(std::uint64_t{1} << options.window_log),
        piece_(ZstdBlockOf(options)) {
    const ZSTD_customMem memory{CountingHeap::AllocateFrom, CountingHeap::FreeTo, &heap_};
    context_ = std::unique_ptr<ZSTD_CCtx, Free>(ZSTD_createCCtx_advanced(memory));
    if (!context_) throw Error(fmt::format("{}: no memory for an encoder", name_));
    ZSTD_compressionParameters settings = ZSTD_getCParams(options.level, 0, 0);
    settings.windowLog = static_cast<unsigned>(options.window_log);
    if (options.low_memory) ShrinkZstdTables(settings);
    const ZSTD_parameters all{ZSTD_adjustCParams(settings, 0, 0),
                              {.contentSizeFlag = 0, .checksumFlag = 0, .noDictIDFlag = 1}};
    Check(ZSTD_compressBegin_advanced(context_.get(), nullptr, 0, all, ZSTD_CONTENTSIZE_UNKNOWN),
          0);
  }

  void Encode(std::string_view text, std::string& out) override {
    if (text.empty()) return;
    text = Remember(text);
    const std::size_t begin = out.size();
    try {
      for (; !text.empty(); text.remove_prefix(std::min(piece_, text.size()))) {
        Append(text.substr(0, piece_), out);
      }
    } catch (const Error&) {
      out.resize(begin);
      throw;
    }
  }

  std::size_t heap() const override { return heap_.bytes() + own_bytes_; }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  // Where the text will stay. Throws HistoryGone.
  std::string_view Remember(std::string_view text) {
    Forget();
    const auto offset = ring_.OffsetOf(text);
    const std::uint64_t begin = runs_.empty() ? 0 : runs_.back().end();
    if (!offset) {
      runs_.push_back(
          {.begin = begin, .bytes = text.size(), .own = std::make_unique<std::string>(text)});
      own_bytes_ += text.size();
      return *runs_.back().own;
    }
    if (!IsThere(begin)) {
      throw HistoryGone(fmt::format("{}: what it looks back to is not kept any more", name_));
    }
    if (!runs_.empty() && !runs_.back().own &&
        runs_.back().offset + runs_.back().bytes == *offset) {
      runs_.back().bytes += text.size();
    } else {
      runs_.push_back({.begin = begin, .bytes = text.size(), .offset = *offset});
    }
    return text;
  }

  // Drops what is further back than the window from the last byte. The last run stays: it says how
  // much there was.
  void Forget() {
    while (runs_.size() > 1 && runs_.front().end() + window_ <= runs_.back().end()) {
      own_bytes_ -= runs_.front().own ? runs_.front().bytes : 0;
      runs_.pop_front();
    }
  }

  // Whether the ring still holds the window that ends at `end`.
  bool IsThere(std::uint64_t end) const {
    const std::uint64_t least = end > window_ ? end - window_ : 0;
    return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
      return run.own || ring_.Holds(run.offset + (least > run.begin ? least - run.begin : 0));
    });
  }

  void Append(std::string_view piece, std::string& out) {
    // Room for what cannot be compressed; the library wants it whatever comes. One a thread.
    static thread_local std::vector<char> room(ZSTD_compressBound(ZSTD_BLOCKSIZE_MAX));
    const std::size_t size =
        ZSTD_compressContinue(context_.get(), room.data(), room.size(), piece.data(), piece.size());
    Check(size, piece.size());
    out.append(room.data(), size);
  }

  void Check(std::size_t result, std::size_t bytes) const {
    if (!ZSTD_isError(result)) return;
    throw Error(
        fmt::format("{} cannot encode {} bytes: {}", name_, bytes, ZSTD_getErrorName(result)));
  }

  const std::string name_;
  const TextRing& ring_;
  const std::uint64_t window_;
  const std::size_t piece_;
  CountingHeap heap_;  // outlives the context
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::deque<Run> runs_;  // the last ones, as far back as the window reaches
  std::size_t own_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> MakeZstdRingEncoder(const EncoderOptions& options, const TextRing& ring) {
  return std::make_unique<ZstdRingEncoder>(options, ring);
}

}  // namespace rpcbench
