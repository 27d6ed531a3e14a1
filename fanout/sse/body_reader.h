// Undoes HTTP/1.1's chunks, for tests.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace rpcbench {

class BodyReader final {
 public:
  // Appends to `body` what is whole by now.
  void Feed(std::string_view bytes, std::string& body) {
    raw_ += bytes;
    std::size_t line = 0;
    while (!ended_ && (line = raw_.find("\r\n")) != std::string::npos) {
      std::size_t size = 0;
      std::from_chars(raw_.data(), raw_.data() + line, size, 16);
      if (raw_.size() < line + 2 + size + 2) return;
      ended_ = size == 0;
      body += std::string_view(raw_).substr(line + 2, size);
      raw_.erase(0, line + 2 + size + 2);
    }
  }
  bool ended() const { return ended_; }  // the last chunk came

 private:
  std::string raw_;  // a chunk that is not whole
  bool ended_ = false;
};

}  // namespace rpcbench
