// HTTP/1.1 chunked transfer coding, read from pieces of any size, for bodies that go on for long.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

// A chunk that is whole in one piece is passed on without being copied. One thread.
class ChunkReader final {
 public:
  static constexpr std::size_t kMaxChunk = 64 << 20;  // bytes

  // Calls take(std::string_view) with each whole chunk's body, valid during the call only. False if
  // the bytes are not of this coding, or a chunk is over kMaxChunk: no more can be read then.
  template <class Take>
  bool Feed(std::string_view bytes, Take take) {
    while (!bytes.empty() && state_ != State::kBad) {
      if (state_ != State::kBody) {
        bytes.remove_prefix(Frame(bytes[0]));
        continue;
      }
      if (partial_.empty() && bytes.size() >= size_) {
        take(bytes.substr(0, size_));
        bytes.remove_prefix(size_);
        state_ = State::kBodyCr;
        continue;
      }
      const std::size_t more = std::min(bytes.size(), size_ - partial_.size());
      partial_.append(bytes.substr(0, more));
      bytes.remove_prefix(more);
      if (partial_.size() < size_) return true;
      take(std::string_view(partial_));
      Release();
      state_ = State::kBodyCr;
    }
    return state_ != State::kBad;
  }

  // The last chunk and its trailer were read. Bytes behind them are bad.
  bool ended() const { return state_ == State::kEnded; }

 private:
  enum class State {
    kSize,
    kExtension,
    kSizeLf,
    kBody,
    kBodyCr,
    kBodyLf,
    kTrailerStart,
    kTrailer,
    kTrailerLf,
    kEnded,
    kBad
  };

  // Takes one byte of what is no body; returns 1.
  std::size_t Frame(char byte);
  State AfterSize(char byte);
  // Frees a large buffer: thousands of streams may have one chunk of a whole page.
  void Release();

  State state_ = State::kSize;
  std::size_t size_ = 0;
  bool digits_ = false;
  std::string partial_;
};

}  // namespace rpcbench
