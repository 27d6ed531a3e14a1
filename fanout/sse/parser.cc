#include "fanout/sse/parser.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "echo/error.h"
#include "fanout/sse/utf8.h"

namespace rpcbench {
namespace {

// Finds line ends in one piece. Each byte is looked at once for each of CR and LF, however the two
// are mixed: a search for one of them is not repeated while its last find still lies ahead.
class LineEnds final {
 public:
  explicit LineEnds(std::string_view bytes) : bytes_(bytes) {}

  // Where the first CR or LF at or after `from` is, or the size. `from` only grows.
  std::size_t After(std::size_t from) {
    return std::min(Next('\r', from, cr_), Next('\n', from, lf_));
  }

 private:
  struct Known {
    bool searched = false;
    std::size_t at = 0;
  };

  std::size_t Next(char wanted, std::size_t from, Known& known) {
    if (!known.searched || known.at < from) {
      const void* found = from == bytes_.size()
                              ? nullptr
                              : std::memchr(bytes_.data() + from, wanted, bytes_.size() - from);
      known = {true, found == nullptr ? bytes_.size()
                                      : static_cast<std::size_t>(static_cast<const char*>(found) -
                                                                 bytes_.data())};
    }
    return known.at;
  }

  std::string_view bytes_;
  Known cr_;
  Known lf_;
};

}  // namespace

EventParser::EventParser(EventSink& sink, ParserOptions options)
    : sink_(sink),
      max_line_(options.max_line),
      max_event_(options.max_event),
      id_(options.last_event_id),
      last_id_(std::move(options.last_event_id)) {}

void EventParser::Feed(std::string_view bytes) {
  LineEnds ends(bytes);
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (std::exchange(skip_lf_, false) && bytes[at] == '\n') {
      ++at;
      continue;
    }
    const std::size_t end = ends.After(at);
    const std::string_view piece = bytes.substr(at, end - at);
    CheckLine(partial_.size() + piece.size());
    if (end == bytes.size()) {
      partial_.append(piece);
      return;
    }
    skip_lf_ = bytes[end] == '\r';
    at = end + 1;
    if (partial_.empty()) {
      TakeLine(piece);
    } else {
      partial_.append(piece);
      TakeLine(partial_);
      partial_.clear();
    }
  }
}

void EventParser::CheckLine(std::size_t size) const {
  if (size <= max_line_) return;
  throw Error("a line of an event stream is longer than " + std::to_string(max_line_) + " bytes");
}

void EventParser::TakeLine(std::string_view line) {
  // A stream's first bytes are its first line's: the mark is looked for there, whatever its pieces.
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.empty()) return Dispatch();
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return TakeField(line, {});
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  TakeField(line.substr(0, colon), value);  // a comment has the name "", which is no field's
}

// Names are compared undecoded: what bad UTF-8 becomes is in no field's name.
void EventParser::TakeField(std::string_view name, std::string_view value) {
  if (name == "data") {
    AppendData(value);
  } else if (name == "event") {
    name_.clear();
    AppendUtf8(value, name_);
  } else if (name == "id") {
    if (value.find('\0') != std::string_view::npos) return;
    id_.clear();
    AppendUtf8(value, id_);
  } else if (name == "retry") {
    TakeRetry(value);
  }
}

void EventParser::AppendData(std::string_view value) {
  AppendUtf8(value, data_);
  data_.push_back('\n');
  if (data_.size() > max_event_) {
    throw Error("the data of an event is longer than " + std::to_string(max_event_) + " bytes");
  }
}

void EventParser::TakeRetry(std::string_view digits) {
  if (digits.empty()) return;
  std::chrono::milliseconds::rep retry = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return;
    retry = std::min<std::chrono::milliseconds::rep>(retry * 10 + (c - '0'), kMaxRetry.count());
  }
  sink_.OnRetry(std::chrono::milliseconds(retry));
}

void EventParser::Dispatch() {
  last_id_ = id_;
  if (!data_.empty()) {
    std::string_view data = data_;
    data.remove_suffix(1);  // the last line's LF
    sink_.OnEvent({.id = last_id_,
                   .name = name_.empty() ? "message" : std::string_view(name_),
                   .data = data});
  }
  data_.clear();
  name_.clear();
}

}  // namespace rpcbench
