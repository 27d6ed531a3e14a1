// The head of an HTTP/1.1 response.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rpcbench {

struct AnswerHead {
  int status = 0;
  std::string content_type;      // as sent
  std::string content_encoding;  // lower case; "identity" if none was named
  bool chunked = false;
  std::optional<std::size_t> content_length;
};

// One response; one thread.
class AnswerHeadReader final {
 public:
  // Takes the head's bytes away from `bytes`; nothing until it is whole. Throws Error that quotes
  // what is no head, or is one over 16 KB.
  std::optional<AnswerHead> Feed(std::string_view& bytes);

 private:
  std::string text_;
};

}  // namespace rpcbench
