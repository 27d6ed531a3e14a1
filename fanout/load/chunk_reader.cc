#include "fanout/load/chunk_reader.h"

namespace rpcbench {
namespace {

constexpr std::size_t kKeptBuffer = 16 << 10;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::size_t ChunkReader::Frame(char byte) {
  switch (state_) {
    case State::kSize:
      state_ = AfterSize(byte);
      break;
    case State::kExtension:
      if (byte == '\r') state_ = State::kSizeLf;
      if (byte == '\n') state_ = State::kBad;
      break;
    case State::kSizeLf:
      state_ = byte != '\n' ? State::kBad : size_ > 0 ? State::kBody : State::kTrailerStart;
      break;
    case State::kBodyCr:
      state_ = byte == '\r' ? State::kBodyLf : State::kBad;
      break;
    case State::kBodyLf:
      state_ = byte == '\n' ? State::kSize : State::kBad;
      size_ = 0;
      digits_ = false;
      break;
    case State::kTrailerStart:
      state_ = byte == '\r' ? State::kTrailerLf : State::kTrailer;
      break;
    case State::kTrailer:
      if (byte == '\n') state_ = State::kTrailerStart;
      break;
    case State::kTrailerLf:
      state_ = byte == '\n' ? State::kEnded : State::kBad;
      break;
    case State::kBody:
    case State::kEnded:
    case State::kBad:
      state_ = State::kBad;
      break;
  }
  return 1;
}

ChunkReader::State ChunkReader::AfterSize(char byte) {
  const int digit = HexDigit(byte);
  if (digit >= 0) {
    digits_ = true;
    size_ = size_ * 16 + static_cast<std::size_t>(digit);
    return size_ <= kMaxChunk ? State::kSize : State::kBad;
  }
  if (!digits_) return State::kBad;
  if (byte == '\r') return State::kSizeLf;
  return byte == ';' || byte == ' ' || byte == '\t' ? State::kExtension : State::kBad;
}

void ChunkReader::Release() {
  if (partial_.capacity() > kKeptBuffer) {
    std::string().swap(partial_);
  } else {
    partial_.clear();
  }
}

}  // namespace rpcbench
