// Reads one unit of WebSocket input through Beast: the step that both ends of the row share. What a
// message means is the caller's.
#pragma once

#include <google/protobuf/io/coded_stream.h>

#include <boost/beast/core/flat_buffer.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "frameworks/beast/corked_stream.h"
#include "frameworks/beast/ws_frames.h"
#include "frameworks/codec/protobuf_codec.h"

namespace rpcbench {

// Room for a message in many frames, whose headers count too.
inline constexpr std::size_t kWsMaxBytes = 128 * 1024;
inline constexpr std::size_t kWsReceiveBuffer = 256 * 1024;

// Reads an envelope into one that was used before. ParseFromArray would delete the record in it,
// and its text, and allocate both anew. As proto3 has it, an absent record is the default one.
inline bool ParseEnvelope(std::string_view bytes, proto::Envelope& envelope) {
  envelope.set_id(0);
  envelope.mutable_record()->Clear();
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  return envelope.MergeFromCodedStream(&input) && input.ConsumedEntireMessage();
}

// Reads what is first in `received` and calls take(payload) if it is a message; answers pings.
// False if it is not whole. Sets `error` where the connection ends; a close frame that Beast asks
// for is in the output then.
template <class Take>
bool ReadWsUnit(WsStream& ws, BufferedSocket& socket, boost::beast::flat_buffer& message,
                std::size_t max_message, boost::system::error_code& error, const Take& take) {
  const WsScan scan = ScanWs(socket.received(), max_message, kWsMaxBytes);
  if (scan.unit == WsUnit::kPartial) return false;
  if (scan.unit == WsUnit::kPing || scan.unit == WsUnit::kPong) {
    const std::string payload = WsPayload(socket.received().substr(0, scan.size));
    socket.Consume(scan.size);
    if (scan.unit == WsUnit::kPing) {
      ws.pong({payload.data(), payload.size()}, error);
    }
    return true;
  }
  ws.next_layer().Allow(scan.size);
  message.clear();
  ws.read(message, error);
  if (!error && ws.got_text()) {
    ws.close(boost::beast::websocket::close_code::unknown_data, error);
    error = boost::beast::websocket::error::closed;
  }
  if (!error && !take(std::string_view(static_cast<const char*>(message.data().data()),
                                       message.data().size()))) {
    ws.close(boost::beast::websocket::close_code::bad_payload, error);
    error = boost::beast::websocket::error::closed;
  }
  return true;
}

}  // namespace rpcbench
