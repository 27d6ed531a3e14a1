// Requests and responses as a site sees them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rpcbench {

struct HttpRequest {
  std::string method;  // "GET" or "POST"
  std::string path;    // without the query, undecoded
  std::string query;   // after the "?", undecoded
  std::string accept_encoding;
  std::string last_event_id;
  bool has_accept_encoding = false;
  std::string content_type;
  std::string body;

  // The decoded value ("+" and %-sequences) of the first such key of the query, or nothing. A
  // %-sequence that is none stays as it is.
  std::optional<std::string> Parameter(std::string_view key) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

}  // namespace rpcbench
