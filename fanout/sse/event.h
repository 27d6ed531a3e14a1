// The bytes of server-sent events (WHATWG HTML 9.2): what a server appends to a stream's text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace rpcbench {

struct Event {
  // What a client sends back as Last-Event-ID. Empty: the client forgets its last id. Nothing: the
  // client keeps it.
  std::optional<std::string_view> id = {};
  std::string_view name = {};  // empty: "message"
  // Nothing: a client sees no event, but takes the id. Text with newlines arrives with them; each
  // CR, CRLF and LF arrives as LF, because the format has no way to tell them apart. Where that is
  // not enough, send ExactData.
  std::optional<std::string_view> data = {};
};

// Appends the event to `out`, blank line included. Throws Error, and appends nothing, if the id or
// the name has CR, LF or NUL: the first two would end the line, and clients ignore ids with the
// third.
void AppendEvent(const Event& event, std::string& out);

// `text` as a JSON string, for payloads whose every CR must arrive: a page takes it back with
// JSON.parse(event.data). Bad UTF-8 becomes U+FFFD, as it would in any event.
std::string ExactData(std::string_view text);
// The inverse. Throws Error if it is not a JSON string.
std::string FromExactData(std::string_view data);

// Clients ignore it; its newlines make several comment lines.
void AppendComment(std::string_view text, std::string& out);

// How long clients wait before they come back. Throws Error if negative.
void AppendRetry(std::chrono::milliseconds retry, std::string& out);

}  // namespace rpcbench
