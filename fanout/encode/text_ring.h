// The last texts of a topic, kept once for all the encoders that look back into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace rpcbench {

// One thread appends; any number may read while it does not. Neither copied nor moved: encoders
// keep its address.
class TextRing final {
 public:
  // Bytes that it holds on the heap, which the kernel gives only as they are written.
  explicit TextRing(std::size_t capacity);
  TextRing(const TextRing&) = delete;
  TextRing& operator=(const TextRing&) = delete;

  // The text in its place, where it stays until about `capacity` more bytes were appended. Texts
  // follow each other without a gap, but for a jump back to the start. One of more than a quarter
  // of the capacity is given a larger ring: all that was there before is gone then.
  std::string_view Append(std::string_view text);

  // How many bytes were appended before this one, jumps counted in; nothing if the text is not in
  // here.
  std::optional<std::uint64_t> OffsetOf(std::string_view text) const;

  // Whether what was appended at this offset, and all after it, still is as it was.
  bool Holds(std::uint64_t offset) const { return offset >= oldest(); }

  std::size_t capacity() const { return capacity_; }

 private:
  std::uint64_t oldest() const;
  void Grow(std::size_t capacity);

  std::size_t capacity_;
  std::unique_ptr<char[]> bytes_;
  std::size_t place_ = 0;    // of the next text
  std::uint64_t lap_ = 0;    // the offset of the first byte, this time round
  std::uint64_t floor_ = 0;  // what is before went with a smaller ring
};

}  // namespace rpcbench
