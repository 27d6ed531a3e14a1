// The bytes of HTTP answers and of what a stream says of its own, around its source's chunks.
#pragma once

#include <string>
#include <string_view>

#include "fanout/encode/chunk.h"
#include "fanout/encode/codec.h"
#include "fanout/sse/http.h"
#include "fanout/sse/request.h"

namespace rpcbench {

// What an answer says of the connection: nothing (HTTP/1.1 stays open), or what differs from the
// client's default.
enum class HttpPersistence { kDefault, kClose, kKeepAlive };

// A whole answer; without its body if `head` was asked for.
void AppendResponse(const HttpResponse& response, HttpPersistence persistence, bool head,
                    std::string& out);
// Likewise for a request that was refused; the connection is closed after it.
void AppendHttpRefusal(const HttpRefusal& refusal, std::string& out);

// The header of a stream: HTTP/1.1 and chunked, or for HTTP/1.0 ended by the connection's end.
void AppendStreamHead(Codec codec, bool chunked, std::string& out);

// Text that a stream can be sent at its start, or between two frames, apart from its source's
// bytes: as it is, or as a zstd frame of its own. Empty for brotli, which has no second frame.
std::string OwnBytes(Codec codec, std::string_view text);

// The last bytes of a stream's body: ends what is open and says `text` where the codec can. At a
// flush boundary. `heartbeat` is what the source would send to a silent stream now, or null: only
// a heartbeat inside a frame tells that one is open.
std::string EndBytes(Codec codec, const Chunk* heartbeat, std::string_view text);

inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace rpcbench
