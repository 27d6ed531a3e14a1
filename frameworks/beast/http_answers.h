// The bytes of the server's HTTP answers: written by hand, because a reply's header is constant but
// for its length. Knows no connection.
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace rpcbench {

inline void AppendNumber(std::string& out, std::size_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

// What an answer says of the connection: nothing (HTTP/1.1 stays open), or what differs from the
// client's default.
enum class Persistence { kDefault, kClose, kKeepAlive };

// Ends a header whose last field is an unfinished Content-Length.
inline void AppendHeaderEnd(std::string& out, std::size_t length, Persistence persistence) {
  AppendNumber(out, length);
  if (persistence == Persistence::kClose) out += "\r\nConnection: close";
  if (persistence == Persistence::kKeepAlive) out += "\r\nConnection: keep-alive";
  out += "\r\n\r\n";
}

// Why a request was not served, in HTTP's terms and in Connect's.
struct Refusal {
  std::string_view status;  // "404 Not Found"
  std::string_view field;   // a header field that this status asks for, with its line end; or ""
  std::string_view code;    // Connect's error code
  std::string_view message;
};

inline constexpr Refusal kMalformed{"400 Bad Request", "", "invalid_argument", "malformed HTTP"};
inline constexpr Refusal kNoHost{"400 Bad Request", "", "invalid_argument", "no Host field"};
inline constexpr Refusal kBadProtocolVersion{"400 Bad Request", "", "invalid_argument",
                                             "Connect-Protocol-Version must be 1"};
inline constexpr Refusal kBadMessage{"400 Bad Request", "", "invalid_argument",
                                     "the body is not a rpcbench.proto.Record"};
inline constexpr Refusal kNoSuchMethod{"404 Not Found", "", "unimplemented",
                                       "the only method is /rpcbench.Echo/Echo"};
inline constexpr Refusal kNotPost{"405 Method Not Allowed", "Allow: POST\r\n", "unimplemented",
                                  "the only HTTP method is POST"};
inline constexpr Refusal kBodyTooLarge{"413 Content Too Large", "", "resource_exhausted",
                                       "the body is over the limit"};
inline constexpr Refusal kBadMediaType{"415 Unsupported Media Type",
                                       "Accept-Post: application/proto, application/json\r\n",
                                       "unimplemented", "unknown content type"};
inline constexpr Refusal kBadEncoding{"415 Unsupported Media Type", "Accept-Encoding: identity\r\n",
                                      "unimplemented", "the only content encoding is identity"};
inline constexpr Refusal kBadExpectation{"417 Expectation Failed", "", "invalid_argument",
                                         "the only expectation is 100-continue"};
inline constexpr Refusal kHeaderTooLarge{"431 Request Header Fields Too Large", "",
                                         "resource_exhausted", "the header is over the limit"};
inline constexpr Refusal kBadTransferCoding{"501 Not Implemented", "", "unimplemented",
                                            "the only transfer coding is chunked"};

// A whole answer with Connect's error body; without that body where HEAD was asked for.
inline void AppendRefusal(std::string& out, const Refusal& refusal, Persistence persistence,
                          bool head) {
  std::string body = R"({"code":")";
  body.append(refusal.code).append(R"(","message":")").append(refusal.message).append("\"}");
  out.append("HTTP/1.1 ").append(refusal.status).append("\r\nContent-Type: application/json\r\n");
  out.append(refusal.field).append("Content-Length: ");
  AppendHeaderEnd(out, body.size(), persistence);
  if (!head) out += body;
}

}  // namespace rpcbench
