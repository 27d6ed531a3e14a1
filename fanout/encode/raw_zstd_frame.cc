#include "fanout/encode/raw_zstd_frame.h"

#include <algorithm>
#include <cstdint>

namespace rpcbench {
namespace {

constexpr std::size_t kLargestBlock = 128 << 10;

void AppendLittleEndian(std::uint32_t value, int bytes, std::string& out) {
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xff);
  }
}

}  // namespace

void AppendRawZstdFrame(std::string_view text, std::string& out) {
  AppendLittleEndian(0xfd2fb528, 4, out);
  // A single segment, whose window is its size; the size takes four bytes; no checksum.
  out += static_cast<char>(0xa0);
  AppendLittleEndian(static_cast<std::uint32_t>(text.size()), 4, out);
  bool last = false;
  while (!last) {
    const std::string_view block = text.substr(0, kLargestBlock);
    text.remove_prefix(block.size());
    last = text.empty();
    AppendLittleEndian(static_cast<std::uint32_t>(block.size() << 3 | (last ? 1 : 0)), 3, out);
    out += block;
  }
}

}  // namespace rpcbench
