// zstd (RFC 8878) by libzstd: frame after frame. A frame's header is read here before the library
// sees it, so that the window is judged the same however the bytes are cut (the library skips its
// own check where a frame is wholly there and fits), and so that formats of before 1.0 are refused.
#include <fmt/format.h>
#define ZSTD_STATIC_LINKING_ONLY  // ZSTD_getFrameHeader
#include <zstd.h>

#include "echo/error.h"
#include "fanout/encode/codec.h"
#include "fanout/encode/codec_decoders.h"

namespace rpcbench {
namespace {

constexpr std::size_t kPiece = 32 << 10;

// Whether these first bytes, at least one, can be those of a frame or of a skippable frame.
bool CanBegin(std::string_view head) {
  constexpr std::string_view kFrame = "\x28\xb5\x2f\xfd";
  constexpr std::string_view kSkippable = "\x2a\x4d\x18";  // behind a byte of 50 to 5f
  const std::string_view magic = head.substr(0, kFrame.size());
  if (kFrame.substr(0, magic.size()) == magic) return true;
  return (static_cast<unsigned char>(magic[0]) & 0xf0) == 0x50 &&
         kSkippable.substr(0, magic.size() - 1) == magic.substr(1);
}

class ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {
    if (!context_) throw Error("zstd: no memory for a decoder");
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }

  void Decode(std::string_view bytes, std::string& out) override {
    while (!bytes.empty()) {
      if (in_frame_) {
        bytes.remove_prefix(Decompress(bytes, out));
        continue;
      }
      head_ += bytes[0];
      bytes.remove_prefix(1);
      if (!HeadIsWhole()) continue;
      in_frame_ = true;
      Decompress(head_, out);
      head_.clear();
    }
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  bool HeadIsWhole() const {
    if (!CanBegin(head_)) throw Error("zstd: bytes that begin no frame");
    ZSTD_frameHeader header;
    const std::size_t missing = ZSTD_getFrameHeader(&header, head_.data(), head_.size());
    if (ZSTD_isError(missing)) throw Error(fmt::format("zstd: {}", ZSTD_getErrorName(missing)));
    if (missing > 0) return false;
    if (header.frameType == ZSTD_frame && header.windowSize > 1ULL << kMaxWindowLog) {
      throw Error(fmt::format("zstd: a window of {} bytes, more than the 2^{} allowed",
                              header.windowSize, kMaxWindowLog));
    }
    return true;
  }

  // Until the bytes are used up or the frame ends. Returns how many were used.
  std::size_t Decompress(std::string_view bytes, std::string& out) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool more = true;
    while (more) {
      char piece[kPiece];
      ZSTD_outBuffer text{piece, kPiece, 0};
      const std::size_t left = ZSTD_decompressStream(context_.get(), &text, &in);
      if (ZSTD_isError(left)) throw Error(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
      out.append(piece, text.pos);
      in_frame_ = left > 0;
      more = in_frame_ && (in.pos < in.size || text.pos == kPiece);
    }
    return in.pos;
  }

  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::string head_;  // of a frame, until its header is whole
  bool in_frame_ = false;
};

}  // namespace

std::unique_ptr<Decoder> MakeZstdDecoder() {
  return std::make_unique<ZstdDecoder>();
}

}  // namespace rpcbench
