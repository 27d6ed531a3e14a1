// Encoded bytes that many streams send: made once, immutable, counted by reference.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace rpcbench {

// A piece of a response's body, already framed as one HTTP/1.1 chunk.
class Chunk final {
 public:
  // `body` is not empty. `events`: how many events a client sees once it decoded this.
  Chunk(std::string_view body, std::uint32_t events);

  std::string_view framed() const { return framed_; }  // "5b9\r\n" body "\r\n"
  std::string_view body() const {
    return std::string_view(framed_).substr(begin_, framed_.size() - begin_ - 2);
  }
  std::uint32_t events() const { return events_; }

 private:
  std::string framed_;
  std::size_t begin_;
  std::uint32_t events_;
};

using ChunkRef = std::shared_ptr<const Chunk>;

}  // namespace rpcbench
