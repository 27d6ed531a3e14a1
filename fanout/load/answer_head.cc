#include "fanout/load/answer_head.h"

#include <algorithm>
#include <charconv>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::size_t kMaxHead = 16 << 10;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void TakeField(std::string_view line, AnswerHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = Lower(line.substr(0, colon));
  const std::string_view value = Trim(line.substr(colon + 1));
  if (name == "content-type") head.content_type = value;
  if (name == "content-encoding") head.content_encoding = Lower(value);
  if (name == "content-length") {
    std::size_t length = 0;
    const auto result = std::from_chars(value.data(), value.data() + value.size(), length);
    if (result.ec == std::errc{}) head.content_length = length;
  }
  if (name == "transfer-encoding") head.chunked = Lower(value) == "chunked";
}

AnswerHead Parse(std::string_view text) {
  AnswerHead head;
  std::size_t end = text.find("\r\n");
  const std::string_view first = text.substr(0, end);
  // "HTTP/1.1 200 OK"
  const bool http = first.substr(0, 7) == "HTTP/1." && first.size() >= 12 && first[8] == ' ';
  if (!http ||
      std::from_chars(first.data() + 9, first.data() + 12, head.status).ptr != first.data() + 12) {
    throw Error("\"" + std::string(first.substr(0, 80)) + "\" begins no HTTP response");
  }
  while (end != std::string_view::npos && end + 2 < text.size()) {
    text.remove_prefix(end + 2);
    end = text.find("\r\n");
    TakeField(text.substr(0, end), head);
  }
  if (head.content_encoding.empty()) head.content_encoding = "identity";
  return head;
}

}  // namespace

std::optional<AnswerHead> AnswerHeadReader::Feed(std::string_view& bytes) {
  const std::size_t before = text_.size();
  text_.append(bytes);
  const std::size_t end = text_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
  if (end == std::string::npos) {
    bytes = {};
    if (text_.size() <= kMaxHead) return std::nullopt;
    throw Error("a response's head is over 16 KB: \"" + text_.substr(0, 80) + "\"");
  }
  bytes.remove_prefix(end + 4 - before);
  return Parse(std::string_view(text_).substr(0, end + 2));
}

}  // namespace rpcbench
