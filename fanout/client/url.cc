#include "fanout/client/url.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "echo/error.h"

namespace rpcbench {
namespace {

[[noreturn]] void Refuse(std::string_view text, const std::string& why) {
  throw Error("\"" + std::string(text.substr(0, 200)) + "\" is no address of a stream: " + why);
}

std::uint16_t DefaultPort(bool tls) {
  return tls ? 443 : 80;
}

// Takes `prefix` off the front, whatever its case.
bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (text.size() < prefix.size() ||
      !std::equal(prefix.begin(), prefix.end(), text.begin(), [](char wanted, unsigned char c) {
        return static_cast<unsigned char>(wanted) == std::tolower(c);
      })) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

std::uint16_t ParsePort(std::string_view whole, std::string_view digits) {
  std::uint16_t port = 0;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port == 0) Refuse(whole, "bad port");
  return port;
}

void TakeAuthority(std::string_view whole, std::string_view authority, Url& url) {
  if (authority.find('@') != std::string_view::npos) Refuse(whole, "it has user information");
  std::string_view after;
  if (authority.starts_with('[')) {
    const auto close = authority.find(']');
    if (close == std::string_view::npos) Refuse(whole, "\"[\" without \"]\"");
    url.host = authority.substr(1, close - 1);
    after = authority.substr(close + 1);
  } else {
    const auto colon = authority.find(':');
    url.host = authority.substr(0, colon);
    after = colon == std::string_view::npos ? "" : authority.substr(colon);
  }
  if (url.host.empty()) Refuse(whole, "no host");
  if (after.empty() || after == ":") return;
  if (after[0] != ':') Refuse(whole, "bad port");
  url.port = ParsePort(whole, after.substr(1));
}

// What follows the scheme's "//".
Url ParseAfterScheme(std::string_view whole, bool tls, std::string_view rest) {
  Url url{.tls = tls, .host = {}, .port = DefaultPort(tls)};
  const auto end = rest.find_first_of("/?");
  TakeAuthority(whole, rest.substr(0, end), url);
  if (end == std::string_view::npos) return url;
  url.target = rest.substr(end);
  if (url.target[0] == '?') url.target.insert(0, "/");
  return url;
}

std::string_view CheckedWithoutFragment(std::string_view text) {
  const bool clean =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c != 0x7F; });
  if (!clean) Refuse(text, "it has a space or a control character");
  return text.substr(0, text.find('#'));
}

}  // namespace

std::string Url::authority() const {
  std::string text = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port != DefaultPort(tls)) text += ":" + std::to_string(port);
  return text;
}

std::string ToString(const Url& url) {
  return (url.tls ? "https://" : "http://") + url.authority() + url.target;
}

Url ParseUrl(std::string_view text) {
  std::string_view rest = CheckedWithoutFragment(text);
  if (TakePrefix(rest, "http://")) return ParseAfterScheme(text, false, rest);
  if (TakePrefix(rest, "https://")) return ParseAfterScheme(text, true, rest);
  Refuse(text, "it begins with neither http:// nor https://");
}

Url ResolveUrl(const Url& base, std::string_view location) {
  const std::string_view rest = CheckedWithoutFragment(location);
  if (rest.starts_with("//")) return ParseAfterScheme(location, base.tls, rest.substr(2));
  const auto colon = rest.find(':');
  if (colon != std::string_view::npos &&
      rest.substr(0, colon).find_first_of("/?") == std::string_view::npos) {
    return ParseUrl(location);
  }
  Url url = base;
  const std::string path = base.target.substr(0, base.target.find('?'));
  if (rest.empty()) return url;
  if (rest.starts_with('/')) {
    url.target = rest;
  } else if (rest.starts_with('?')) {
    url.target = path + std::string(rest);
  } else {
    url.target = path.substr(0, path.rfind('/') + 1) + std::string(rest);
  }
  return url;
}

}  // namespace rpcbench
