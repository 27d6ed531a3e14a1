// Keeps what a parser says, for tests and fuzzing.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "fanout/sse/parser.h"

namespace rpcbench {

struct RecordedEvent {
  std::string id = {};
  std::string name = "message";
  std::string data = {};

  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};

class EventRecorder final : public EventSink {
 public:
  void OnEvent(const ReceivedEvent& event) override {
    events_.push_back({std::string(event.id), std::string(event.name), std::string(event.data)});
  }
  void OnRetry(std::chrono::milliseconds retry) override { retries_.push_back(retry.count()); }

  const std::vector<RecordedEvent>& events() const { return events_; }
  const std::vector<std::int64_t>& retries() const { return retries_; }

 private:
  std::vector<RecordedEvent> events_;
  std::vector<std::int64_t> retries_;  // ms
};

// For a test's message.
inline void PrintTo(const RecordedEvent& event, std::ostream* out) {
  *out << "{id \"" << event.id << "\", name \"" << event.name << "\", data \"" << event.data
       << "\"}";
}

}  // namespace rpcbench
