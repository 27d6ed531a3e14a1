// UTF-8 by hand: the few rules that text on a chart needs.
#include "plots/text.h"

#include <algorithm>
#include <sstream>

namespace rpcbench {
namespace {

bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

// Bytes of the character that begins at `at`, or 0 if none does. Overlong forms and surrogates are
// not told apart by their first bytes alone, hence the second look.
std::size_t CharacterBytes(const std::string& text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xc2 && first < 0xe0   ? 2
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xf0 && first < 0xf5 ? 4
                                                            : 0;
  if (bytes == 0 || at + bytes > text.size()) return 0;
  for (std::size_t next = 1; next < bytes; ++next) {
    if (!IsContinuation(text[at + next])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : bytes;
}

}  // namespace

std::string Quote(const std::string& text) {
  std::string quoted = "'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = CharacterBytes(text, at);
    if (bytes == 0) {
      quoted += '?';
    } else if (bytes > 1) {
      quoted += text.substr(at, bytes);
    } else if (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7f) {
      quoted += ' ';
    } else {
      quoted += text[at] == '\'' ? "''" : std::string(1, text[at]);
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  return quoted + "'";
}

std::size_t Columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !IsContinuation(byte); }));
}

std::string Shorten(const std::string& text, std::size_t columns) {
  if (Columns(text) <= columns) return text;
  std::size_t cut = 0;
  for (std::size_t count = 0; cut < text.size(); ++cut) {
    if (!IsContinuation(text[cut]) && ++count > columns - 3) break;
  }
  const std::size_t blank = text.rfind(' ', cut);
  if (blank != std::string::npos && blank >= cut * 2 / 3) cut = blank;
  return text.substr(0, cut) + "...";
}

std::vector<std::string> Wrap(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && Columns(lines.back()) + 1 + Columns(word) <= columns) {
      lines.back() += ' ' + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace rpcbench
