#include "fanout/encode/chunk.h"

#include <array>
#include <charconv>

namespace rpcbench {

Chunk::Chunk(std::string_view body, std::uint32_t events) : events_(events) {
  std::array<char, 16> size;
  const char* end = std::to_chars(size.data(), size.data() + size.size(), body.size(), 16).ptr;
  const std::string_view digits(size.data(), end - size.data());
  begin_ = digits.size() + 2;
  framed_.reserve(begin_ + body.size() + 2);
  framed_.append(digits).append("\r\n").append(body).append("\r\n");
}

}  // namespace rpcbench
