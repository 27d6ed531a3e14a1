#include "fanout/sse/utf8.h"

#include <cstdint>
#include <cstring>

namespace rpcbench {
namespace {

// How many bytes at the front are ASCII; eight at a time, because nearly all text is.
std::size_t AsciiPrefix(std::string_view bytes) {
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x80) ++at;
  return at;
}

// What may follow a lead byte: how many bytes, and the range of the first of them, which is
// narrower than 80..BF where the rest would be overlong, a surrogate or above U+10FFFF.
struct Lead {
  int following = 0;  // 0: no lead byte
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead LeadOf(unsigned char byte) {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .low = 0xA0};
  if (byte == 0xED) return {.following = 2, .high = 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {.following = 2};
  if (byte == 0xF0) return {.following = 3, .low = 0x90};
  if (byte >= 0xF1 && byte <= 0xF3) return {.following = 3};
  if (byte == 0xF4) return {.following = 3, .high = 0x8F};
  return {};
}

struct Piece {
  std::size_t size;
  bool good;
};

// The character at the front, which is not ASCII, or the longest part of one that is still a
// beginning.
Piece FrontPiece(std::string_view bytes) {
  Lead lead = LeadOf(static_cast<unsigned char>(bytes[0]));
  if (lead.following == 0) return {1, false};
  std::size_t at = 1;
  for (int left = lead.following; left > 0; --left, ++at) {
    if (at == bytes.size()) return {at, false};
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (byte < lead.low || byte > lead.high) return {at, false};
    lead.low = 0x80;
    lead.high = 0xBF;
  }
  return {at, true};
}

}  // namespace

void AppendUtf8(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    // Good text is appended in runs, and not by character.
    std::size_t run = AsciiPrefix(bytes);
    std::size_t bad = 0;
    while (run < bytes.size() && bad == 0) {
      const Piece piece = FrontPiece(bytes.substr(run));
      if (piece.good) {
        run += piece.size;
        run += AsciiPrefix(bytes.substr(run));
      } else {
        bad = piece.size;
      }
    }
    out.append(bytes.substr(0, run));
    if (bad != 0) out.append("\xEF\xBF\xBD");
    bytes.remove_prefix(run + bad);
  }
}

}  // namespace rpcbench
