// brotli (RFC 7932) by libbrotlienc 1.0.9: one stream that never ends, flushed after each text. A
// flush ends at a byte, because the library fills the last one up with an empty metadata block.
// Where malloc fails, the library ends the process, as it is built by default (there is a macro to
// choose otherwise, but not at run time).
#include <brotli/encode.h>
#include <fmt/format.h>

#include "echo/error.h"
#include "fanout/encode/codec_encoders.h"
#include "fanout/encode/heap.h"

namespace rpcbench {
namespace {

// The library chooses its hash table by quality, and by the size of the first text where nobody
// tells it one: a first text of 1 MB or more gets tables of several MB. A hint of less keeps every
// stream at the small ones, whatever comes first.
constexpr std::uint32_t kSizeHint = (1 << 20) - 1;

class BrotliEncoder final : public Encoder {
 public:
  explicit BrotliEncoder(const EncoderOptions& options) : name_(NameOf(options)) {
    state_ = std::unique_ptr<BrotliEncoderState, Free>(
        BrotliEncoderCreateInstance(CountingHeap::AllocateFrom, CountingHeap::FreeTo, &heap_));
    if (!state_) throw Error(fmt::format("{}: no memory for an encoder", name_));
    Set(BROTLI_PARAM_QUALITY, static_cast<std::uint32_t>(options.level));
    Set(BROTLI_PARAM_LGWIN, static_cast<std::uint32_t>(options.window_log));
    Set(BROTLI_PARAM_LARGE_WINDOW, BROTLI_FALSE);
    Set(BROTLI_PARAM_SIZE_HINT, kSizeHint);
  }

  void Encode(std::string_view text, std::string& out) override {
    const std::size_t begin = out.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t left = text.size();
    do {
      std::size_t room = 0;  // the output is taken from the library's own buffer
      std::uint8_t* nowhere = nullptr;
      if (!BrotliEncoderCompressStream(state_.get(), BROTLI_OPERATION_FLUSH, &left, &next, &room,
                                       &nowhere, nullptr)) {
        out.resize(begin);
        // The library does not say why; with checked parameters only memory is left.
        throw Error(
            fmt::format("{} cannot encode a text of {} bytes: is memory out?", name_, text.size()));
      }
      TakeOutput(out);
    } while (left > 0 || BrotliEncoderHasMoreOutput(state_.get()));
  }

  std::size_t heap() const override { return heap_.bytes(); }

 private:
  struct Free {
    void operator()(BrotliEncoderState* state) const { BrotliEncoderDestroyInstance(state); }
  };

  void Set(BrotliEncoderParameter parameter, std::uint32_t value) {
    if (BrotliEncoderSetParameter(state_.get(), parameter, value)) return;
    throw Error(fmt::format("{}: parameter {} of libbrotlienc cannot be {}", name_,
                            static_cast<int>(parameter), value));
  }

  void TakeOutput(std::string& out) {
    while (BrotliEncoderHasMoreOutput(state_.get())) {
      std::size_t bytes = 0;  // as many as there are
      const std::uint8_t* const data = BrotliEncoderTakeOutput(state_.get(), &bytes);
      out.append(reinterpret_cast<const char*>(data), bytes);
    }
  }

  const std::string name_;
  CountingHeap heap_;  // outlives the state
  std::unique_ptr<BrotliEncoderState, Free> state_;
};

}  // namespace

std::unique_ptr<Encoder> MakeBrotliEncoder(const EncoderOptions& options) {
  return std::make_unique<BrotliEncoder>(options);
}

}  // namespace rpcbench
