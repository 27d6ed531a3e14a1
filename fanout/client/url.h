// The addresses of event streams: http and https only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

struct Url {
  bool tls = false;
  std::string host;  // an IPv6 address without its brackets
  std::uint16_t port = 80;
  std::string target = "/";  // path and query, as they are sent

  // What the Host header says: with the port unless it is the scheme's own.
  std::string authority() const;

  friend bool operator==(const Url&, const Url&) = default;
};

std::string ToString(const Url& url);

// Drops a fragment. Throws Error that names `text` for another scheme, user information, a bad
// port, no host, and for bytes that must not stand in a request line.
Url ParseUrl(std::string_view text);

// Where a redirect's Location leads from `base`: a whole address, "//host/path", "/path", "?query"
// or a path beside the base's. "." and ".." are sent as they are. Throws Error as ParseUrl does.
Url ResolveUrl(const Url& base, std::string_view location);

}  // namespace rpcbench
