// The frame of the asio rows: u32 length of what follows, u64 call id, body; little endian.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "echo/client.h"

namespace rpcbench {

static_assert(std::endian::native == std::endian::little,
              "frames are written as they lie in memory");

inline constexpr std::size_t kFrameHead = sizeof(std::uint32_t) + sizeof(CallId);
// Longest body; a record is 17 to 1,023 bytes raw, and JSON escapes make more of it.
inline constexpr std::size_t kMaxFrameBody = 64 * 1024;

// Appends a frame whose body encode(out) appends.
template <class Encode>
void AppendFrame(CallId id, std::string& out, Encode&& encode) {
  const std::size_t start = out.size();
  out.append(kFrameHead, '\0');
  encode(out);
  const auto length = static_cast<std::uint32_t>(out.size() - start - sizeof(std::uint32_t));
  std::memcpy(out.data() + start, &length, sizeof length);
  std::memcpy(out.data() + start + sizeof length, &id, sizeof id);
}

struct Frame {
  CallId id = 0;
  std::string_view body;
  std::size_t size = 0;  // head included
};

enum class FrameStatus { kWhole, kPartial, kBad };

// Looks for a frame at the start of `bytes`. kBad: the length is impossible, so the connection is
// to be closed.
inline FrameStatus ReadFrame(std::string_view bytes, Frame& frame) {
  std::uint32_t length = 0;
  if (bytes.size() < sizeof length) return FrameStatus::kPartial;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length < sizeof(CallId) || length > sizeof(CallId) + kMaxFrameBody) return FrameStatus::kBad;
  frame.size = sizeof length + length;
  if (bytes.size() < frame.size) return FrameStatus::kPartial;
  std::memcpy(&frame.id, bytes.data() + sizeof length, sizeof frame.id);
  frame.body = bytes.substr(kFrameHead, frame.size - kFrameHead);
  return FrameStatus::kWhole;
}

}  // namespace rpcbench
