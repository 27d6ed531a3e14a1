// Finds the end of a WebSocket message in received bytes, so that Beast's blocking calls are only
// made for what is there whole. Beast does the reading and all checks; this only counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

enum class WsUnit : std::uint8_t {
  kPartial,  // more bytes are needed
  kMessage,  // all frames of a data message, control frames between them included
  kPing,     // a well-formed control frame on its own
  kPong,
  kEnding  // a close frame, or something that Beast is to refuse
};

struct WsFrame {
  std::uint8_t opcode = 0;
  bool fin = false;
  bool reserved_bits = false;
  bool masked = false;
  std::size_t header = 0;  // bytes, the mask included
  std::uint64_t payload = 0;
};

// False if the header is not whole.
inline bool ReadWsHeader(std::string_view bytes, WsFrame& frame) {
  if (bytes.size() < 2) return false;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  frame.opcode = byte(0) & 0x0f;
  frame.fin = byte(0) & 0x80;
  frame.reserved_bits = byte(0) & 0x70;
  frame.masked = byte(1) & 0x80;
  frame.payload = byte(1) & 0x7f;
  const std::size_t length_bytes = frame.payload == 126 ? 2 : frame.payload == 127 ? 8 : 0;
  frame.header = 2 + length_bytes + (frame.masked ? 4 : 0);
  if (bytes.size() < frame.header) return false;
  if (length_bytes != 0) frame.payload = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) frame.payload = frame.payload << 8 | byte(2 + i);
  return true;
}

struct WsScan {
  WsUnit unit = WsUnit::kPartial;
  std::size_t size = 0;
};

// What is first in `bytes`. A message of more than `max_message` bytes, or one whose frames take
// more than `max_bytes`, is kEnding.
inline WsScan ScanWs(std::string_view bytes, std::size_t max_message, std::size_t max_bytes) {
  constexpr std::uint8_t kBinary = 2, kClose = 8, kPing = 9, kPong = 10;
  std::uint64_t message = 0;
  std::size_t at = 0;
  WsFrame frame;
  while (ReadWsHeader(bytes.substr(at), frame)) {
    const bool control = frame.opcode >= kClose;
    const bool known = frame.opcode <= kBinary || (control && frame.opcode <= kPong);
    if (!known || frame.reserved_bits || (control && (!frame.fin || frame.payload > 125))) {
      return {WsUnit::kEnding, bytes.size()};
    }
    if (frame.payload > max_message || (!control && (message += frame.payload) > max_message)) {
      return {WsUnit::kEnding, bytes.size()};
    }
    const std::size_t size = frame.header + static_cast<std::size_t>(frame.payload);
    if (bytes.size() - at < size) break;
    const bool first = at == 0;
    at += size;
    if (frame.opcode == kClose) return {WsUnit::kEnding, at};
    if (control && first) return {frame.opcode == kPing ? WsUnit::kPing : WsUnit::kPong, at};
    if (!control && frame.fin) return {WsUnit::kMessage, at};
  }
  if (bytes.size() >= max_bytes) return {WsUnit::kEnding, bytes.size()};
  return {};
}

// The payload of one whole frame, without its mask.
inline std::string WsPayload(std::string_view bytes) {
  WsFrame frame;
  ReadWsHeader(bytes, frame);
  std::string payload(bytes.substr(frame.header, static_cast<std::size_t>(frame.payload)));
  if (!frame.masked) return payload;
  const std::string_view mask = bytes.substr(frame.header - 4, 4);
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] ^= mask[i % 4];
  return payload;
}

}  // namespace rpcbench
