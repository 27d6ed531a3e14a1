// brotli (RFC 7932) by libbrotlidec.
#include <brotli/decode.h>
#include <fmt/format.h>

#include "echo/error.h"
#include "fanout/encode/codec.h"
#include "fanout/encode/codec_decoders.h"

namespace rpcbench {
namespace {

// The window is in a stream's first bits, lowest first (RFC 7932, section 9.1). 1111 is 2^24, the
// only one above 8 MB. 0010001 is none; "large window brotli", which is no content coding, begins
// so.
constexpr unsigned kWindow24 = 0x0f;
constexpr unsigned kLargeWindow = 0x11;

class BrotliDecoder final : public Decoder {
 public:
  BrotliDecoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (!state_) throw Error("br: no memory for a decoder");
  }

  void Decode(std::string_view bytes, std::string& out) override {
    if (bytes.empty()) return;
    if (!begun_) CheckWindow(static_cast<unsigned char>(bytes[0]));
    begun_ = true;
    if (ended_) throw Error(fmt::format("br: {} bytes behind the end of the stream", bytes.size()));
    const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::size_t left = bytes.size();
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
      std::size_t room = 0;  // the text is taken from the library's own buffer
      std::uint8_t* nowhere = nullptr;
      result = BrotliDecoderDecompressStream(state_.get(), &left, &next, &room, &nowhere, nullptr);
      TakeText(out);
    }
    if (result == BROTLI_DECODER_RESULT_ERROR) {
      throw Error(
          fmt::format("br: {}", BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_.get()))));
    }
    ended_ = result == BROTLI_DECODER_RESULT_SUCCESS;
    if (ended_ && left > 0) {
      throw Error(fmt::format("br: {} bytes behind the end of the stream", left));
    }
  }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };

  static void CheckWindow(unsigned first) {
    if ((first & 0x0f) == kWindow24) {
      throw Error(
          fmt::format("br: a window of 2^24 bytes, more than the 2^{} allowed", kMaxWindowLog));
    }
    if ((first & 0x7f) == kLargeWindow) throw Error("br: a large window, which no browser decodes");
  }

  void TakeText(std::string& out) {
    while (BrotliDecoderHasMoreOutput(state_.get())) {
      std::size_t bytes = 0;  // as many as there are
      const std::uint8_t* const data = BrotliDecoderTakeOutput(state_.get(), &bytes);
      if (bytes == 0) return;
      out.append(reinterpret_cast<const char*>(data), bytes);
    }
  }

  std::unique_ptr<BrotliDecoderState, Free> state_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> MakeBrotliDecoder() {
  return std::make_unique<BrotliDecoder>();
}

}  // namespace rpcbench
