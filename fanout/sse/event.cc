#include "fanout/sse/event.h"

#include <nlohmann/json.hpp>

#include "echo/error.h"

namespace rpcbench {
namespace {

void CheckOneLine(std::string_view what, std::string_view text) {
  static constexpr std::string_view kForbidden("\r\n\0", 3);
  const auto at = text.find_first_of(kForbidden);
  if (at == std::string_view::npos) return;
  const char* name = text[at] == '\r' ? "CR" : text[at] == '\n' ? "LF" : "NUL";
  throw Error(std::string(what) + " of an event has " + name + " at byte " + std::to_string(at) +
              " of " + std::to_string(text.size()));
}

// One `prefix` line for each line of `text`. The space is always written: a reader drops one, and
// the text may begin with one of its own.
void AppendLines(std::string_view prefix, std::string_view text, std::string& out) {
  for (;;) {
    const auto end = text.find_first_of("\r\n");
    out.append(prefix).append(text.substr(0, end)).push_back('\n');
    if (end == std::string_view::npos) return;
    const bool crlf = text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n';
    text.remove_prefix(end + (crlf ? 2 : 1));
  }
}

}  // namespace

void AppendEvent(const Event& event, std::string& out) {
  if (event.id) CheckOneLine("the id", *event.id);
  CheckOneLine("the name", event.name);
  if (event.id) out.append("id: ").append(*event.id).push_back('\n');
  if (!event.name.empty()) out.append("event: ").append(event.name).push_back('\n');
  if (event.data) AppendLines("data: ", *event.data, out);
  out.push_back('\n');
}

std::string ExactData(std::string_view text) {
  return nlohmann::json(std::string(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string FromExactData(std::string_view data) {
  const auto text = nlohmann::json::parse(data, nullptr, false);
  if (!text.is_string()) {
    throw Error("an event's data is no JSON string: " + std::string(data.substr(0, 40)));
  }
  return text.get<std::string>();
}

void AppendComment(std::string_view text, std::string& out) {
  AppendLines(": ", text, out);
  out.push_back('\n');
}

void AppendRetry(std::chrono::milliseconds retry, std::string& out) {
  if (retry.count() < 0) {
    throw Error("a retry of " + std::to_string(retry.count()) + " ms is negative");
  }
  out.append("retry: ").append(std::to_string(retry.count())).append("\n\n");
}

}  // namespace rpcbench
