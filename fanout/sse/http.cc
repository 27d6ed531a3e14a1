#include "fanout/sse/http.h"

#include <charconv>

namespace rpcbench {
namespace {

std::string Decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const char* const digits = text.data() + i + 1;
      const auto parsed = std::from_chars(digits, digits + 2, byte, 16);
      if (parsed.ec == std::errc{} && parsed.ptr == digits + 2) {
        decoded += static_cast<char>(byte);
        i += 2;
        continue;
      }
    }
    decoded += text[i] == '+' ? ' ' : text[i];
  }
  return decoded;
}

}  // namespace

std::optional<std::string> HttpRequest::Parameter(std::string_view key) const {
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(pair.size() == rest.size() ? pair.size() : pair.size() + 1);
    const auto equals = pair.find('=');
    if (Decode(pair.substr(0, equals)) != key) continue;
    return equals == std::string_view::npos ? std::string() : Decode(pair.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace rpcbench
