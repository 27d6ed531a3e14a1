// Reads an event stream as browsers do (WHATWG HTML 9.2), from pieces of any size.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace rpcbench {

// Valid during OnEvent only. All are good UTF-8.
struct ReceivedEvent {
  std::string_view id;    // the last id that came, with this event or before
  std::string_view name;  // "message" where none was given
  std::string_view data;
};

class EventSink {
 public:
  // As soon as the blank line's first byte is there.
  virtual void OnEvent(const ReceivedEvent& event) = 0;
  // At most kMaxRetry.
  virtual void OnRetry(std::chrono::milliseconds retry) = 0;

 protected:
  ~EventSink() = default;
};

// 2^31 - 1 ms, what a browser's timers take; more digits mean this.
inline constexpr std::chrono::milliseconds kMaxRetry{2'147'483'647};

struct ParserOptions {
  std::size_t max_line = 16 << 20;   // bytes of one line as they come, its end not counted
  std::size_t max_event = 64 << 20;  // bytes of one event's data, its newlines counted
  // The last id of an earlier connection: events without an id carry it on.
  std::string last_event_id = {};
};

// One thread. Time is linear in the bytes, however they are cut; memory is bounded by the options.
class EventParser final {
 public:
  // `sink` outlives the parser, and must not feed it.
  explicit EventParser(EventSink& sink, ParserOptions options = {});

  // Throws Error that names the bound if a line or an event passes it, after all events before it
  // came; the parser is of no use then. At the end of a stream just feed no more: an event without
  // its blank line does not count.
  void Feed(std::string_view bytes);

  // What a reconnect sends as Last-Event-ID: the id of the last finished block. Empty: none.
  const std::string& last_event_id() const { return last_id_; }

 private:
  void TakeLine(std::string_view line);
  void TakeField(std::string_view name, std::string_view value);
  void TakeRetry(std::string_view digits);
  void AppendData(std::string_view value);
  void Dispatch();
  void CheckLine(std::size_t size) const;

  EventSink& sink_;
  const std::size_t max_line_;
  const std::size_t max_event_;
  std::string partial_;  // the line that has no end yet
  bool first_line_ = true;
  bool skip_lf_ = false;  // a CR ended the last line: a LF right behind it belongs to it
  std::string data_;      // each line with a LF behind it
  std::string name_;
  std::string id_;  // of the block that is being read; becomes last_id_ with its blank line
  std::string last_id_;
};

}  // namespace rpcbench
