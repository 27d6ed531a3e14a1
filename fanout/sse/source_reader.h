// A client of a Source without a network, for tests: pulls, decodes and parses.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fanout/encode/decoder.h"
#include "fanout/encode/source.h"
#include "fanout/sse/event_recorder.h"

namespace rpcbench {

class SourceReader final {
 public:
  SourceReader(std::unique_ptr<Source> source, Codec codec, std::string last_event_id = {})
      : source_(std::move(source)),
        decoder_(MakeDecoder(TokenOf(codec))),
        parser_(recorder_, {.last_event_id = std::move(last_event_id)}) {}
  SourceReader(const SourceReader&) = delete;
  SourceReader& operator=(const SourceReader&) = delete;

  // Takes one chunk, which is pending until Confirm. False if there was none, or one is taken.
  bool Take() {
    if (taken_) return false;
    taken_ = source_->Next();
    if (!taken_) return false;
    Read(*taken_);
    return true;
  }
  void Confirm() {
    if (!taken_) return;
    source_->Sent();
    taken_ = nullptr;
  }
  // All there is.
  void Pull() {
    Confirm();
    while (Take()) Confirm();
  }
  void Heartbeat() {
    if (const ChunkRef chunk = source_->Heartbeat()) Read(*chunk);
  }

  const std::vector<RecordedEvent>& events() const { return recorder_.events(); }
  std::vector<std::string> data() const {
    std::vector<std::string> data;
    for (const auto& event : events()) data.push_back(event.data);
    return data;
  }
  const std::string& last_event_id() const { return parser_.last_event_id(); }
  std::string_view closing() const { return source_->closing(); }
  bool taken() const { return taken_ != nullptr; }
  // Whether chunks said rightly how many events they hold.
  bool counted_right() const { return counted_right_; }

 private:
  void Read(const Chunk& chunk) {
    const std::size_t before = events().size();
    std::string text;
    decoder_->Decode(chunk.body(), text);
    parser_.Feed(text);
    counted_right_ = counted_right_ && events().size() - before == chunk.events();
  }

  std::unique_ptr<Source> source_;
  std::unique_ptr<Decoder> decoder_;
  EventRecorder recorder_;
  EventParser parser_;
  ChunkRef taken_;
  bool counted_right_ = true;
};

}  // namespace rpcbench
