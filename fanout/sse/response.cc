#include "fanout/sse/response.h"

#include <array>
#include <boost/beast/http/status.hpp>
#include <ctime>

#include "fanout/encode/encoder.h"
#include "fanout/encode/raw_zstd_frame.h"

namespace rpcbench {
namespace {

void AppendStatusLine(int status, std::string& out) {
  const auto reason =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  out.append("HTTP/1.1 ").append(std::to_string(status)).append(" ");
  out.append(reason.data(), reason.size()).append("\r\n");
  std::array<char, 48> date{};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::strftime(date.data(), date.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
  out += date.data();
}

std::string HeartbeatOf(Codec codec) {
  std::string bytes;
  AppendHeartbeat(codec, bytes);
  return bytes;
}

}  // namespace

void AppendResponse(const HttpResponse& response, HttpPersistence persistence, bool head,
                    std::string& out) {
  AppendStatusLine(response.status, out);
  const bool may_have_body = response.status != 204 && response.status != 304;
  if (may_have_body) {
    if (!response.type.empty()) out.append("Content-Type: ").append(response.type).append("\r\n");
    out.append("Content-Length: ").append(std::to_string(response.body.size())).append("\r\n");
  }
  for (const auto& [name, value] : response.headers) {
    out.append(name).append(": ").append(value).append("\r\n");
  }
  if (persistence == HttpPersistence::kClose) out += "Connection: close\r\n";
  if (persistence == HttpPersistence::kKeepAlive) out += "Connection: keep-alive\r\n";
  out += "\r\n";
  if (may_have_body && !head) out += response.body;
}

void AppendHttpRefusal(const HttpRefusal& refusal, std::string& out) {
  AppendStatusLine(refusal.status, out);
  out.append(refusal.field).append("Content-Type: text/plain; charset=utf-8\r\nContent-Length: ");
  out.append(std::to_string(refusal.text.size())).append("\r\nConnection: close\r\n\r\n");
  out += refusal.text;
}

void AppendStreamHead(Codec codec, bool chunked, std::string& out) {
  AppendStatusLine(200, out);
  out +=
      "Content-Type: text/event-stream\r\nCache-Control: no-store, no-transform\r\n"
      "X-Accel-Buffering: no\r\nVary: Accept-Encoding\r\n";
  if (codec != Codec::kIdentity) {
    out.append("Content-Encoding: ").append(TokenOf(codec)).append("\r\n");
  }
  out += chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n";
}

std::string OwnBytes(Codec codec, std::string_view text) {
  if (codec == Codec::kIdentity) return std::string(text);
  std::string bytes;
  if (codec == Codec::kZstd) AppendRawZstdFrame(text, bytes);
  return bytes;
}

std::string EndBytes(Codec codec, const Chunk* heartbeat, std::string_view text) {
  const bool open = heartbeat && heartbeat->body() == HeartbeatOf(codec);
  std::string bytes;
  if (codec == Codec::kZstd && open) AppendEndOfZstdFrame(bytes);
  if (codec == Codec::kBrotli && open) bytes += '\x03';  // an empty last meta-block (RFC 7932)
  if (!text.empty()) bytes += OwnBytes(codec, text);
  return bytes;
}

}  // namespace rpcbench
