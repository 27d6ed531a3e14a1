#include "results/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "echo/error.h"
#include "results/files.h"

namespace rpcbench {
namespace {

using nlohmann::json;

// An iterator that leaves behind how far the parser has come.
class Tracker final {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Tracker(const char* at, const char** reached) : at_(at), reached_(reached) {}

  reference operator*() const { return *at_; }
  Tracker& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  Tracker operator++(int) {
    const Tracker before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Tracker& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// Counts newlines once over the text, for positions that only grow.
class LineCounter final {
 public:
  explicit LineCounter(const char* begin) : at_(begin) {}

  std::size_t LineAt(const char* position) {
    line_ += static_cast<std::size_t>(std::count(at_, position, '\n'));
    at_ = position;
    return line_;
  }

 private:
  const char* at_;
  std::size_t line_ = 1;
};

// The length of the word that stands where a number should.
std::size_t NonFiniteAt(std::string_view text) {
  for (const std::string_view word : {"NaN", "-NaN", "Infinity", "-Infinity"}) {
    if (text.starts_with(word)) return word.size();
  }
  return 0;
}

// A copy: replacing in place would move the rest of the file each time.
std::string WithoutNonFinite(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quoted && (c == 'N' || c == 'I' || c == '-')) {
      const std::size_t size = NonFiniteAt(text.substr(i));
      if (size > 0) {
        clean += "null";
        i += size - 1;
        continue;
      }
    }
    clean += c;
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\' && i + 1 < text.size()) clean += text[++i];
  }
  return clean;
}

// nlohmann's text without its "[json.exception...]" head and its own idea of the line.
std::string Reason(const std::string& what) {
  const std::size_t head = what.find("] ");
  std::string reason = head == std::string::npos ? what : what.substr(head + 2);
  const std::string position = "parse error at line ";
  if (reason.starts_with(position)) {
    const std::size_t colon = reason.find(": ");
    if (colon != std::string::npos) reason.erase(0, colon + 2);
  }
  return reason;
}

}  // namespace

JsonFile ReadJson(const std::filesystem::path& file, const std::string& entries) {
  const std::string text = WithoutNonFinite(ReadFile(file));
  const char* const begin = text.data();
  const char* reached = begin;
  LineCounter counter(begin);
  JsonFile result;
  bool inside = false;
  const auto note = [&](int depth, json::parse_event_t event, json& parsed) {
    using Event = json::parse_event_t;
    if (depth == 1 && event == Event::key) inside = parsed.get_ref<std::string&>() == entries;
    const bool starts =
        event == Event::object_start || event == Event::array_start || event == Event::value;
    if (inside && depth == 2 && starts) result.lines.push_back(counter.LineAt(reached));
    return true;
  };
  try {
    result.value =
        json::parse(Tracker(begin, &reached), Tracker(begin + text.size(), &reached), note);
  } catch (const json::exception& error) {
    const auto line = 1 + std::count(begin, reached, '\n');
    throw Error(fmt::format("{}:{}: {}", file.string(), line,
                            text.empty() ? "the file is empty" : Reason(error.what())));
  }
  return result;
}

}  // namespace rpcbench
