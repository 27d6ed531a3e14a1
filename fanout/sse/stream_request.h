// How a test asks for a stream.
#pragma once

#include <string>

namespace rpcbench {

struct StreamRequest {
  std::string path = "/events";
  std::string accept_encoding = {};  // empty: the header is not sent
  std::string more = {};             // header lines, each with its CR LF
  int receive_buffer = 0;
};

inline std::string ToText(const StreamRequest& request) {
  std::string text = "GET " + request.path + " HTTP/1.1\r\nHost: test\r\n";
  if (!request.accept_encoding.empty()) {
    text += "Accept-Encoding: " + request.accept_encoding + "\r\n";
  }
  return text + request.more + "\r\n";
}

}  // namespace rpcbench
