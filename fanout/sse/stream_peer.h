// An event stream's client for tests: undoes the chunks, decodes, parses, and shows each layer.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/encode/decoder.h"
#include "fanout/sse/body_reader.h"
#include "fanout/sse/event_recorder.h"
#include "fanout/sse/raw_peer.h"
#include "fanout/sse/stream_request.h"

namespace rpcbench {

class StreamPeer final {
 public:
  explicit StreamPeer(const Address& address, const StreamRequest& request = {})
      : peer_(address, request.receive_buffer) {
    peer_.Send(ToText(request));
  }
  StreamPeer(StreamPeer&&) = default;

  // Waits for the header, once.
  const std::string& head() {
    if (head_.empty()) {
      head_ = peer_.ReadHead();
      decoder_ = MakeDecoder(Field("Content-Encoding"));
    }
    return head_;
  }
  std::string Field(const std::string& name) const {
    const auto at = head_.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const auto begin = at + name.size() + 4;
    return head_.substr(begin, head_.find("\r\n", begin) - begin);
  }

  // Reads until there are `count` events since the beginning, and returns all.
  const std::vector<RecordedEvent>& ReadEvents(std::size_t count) {
    while (recorder_->events().size() < count) {
      if (!ReadOn()) {
        ADD_FAILURE() << "the stream ended after " << recorder_->events().size() << " events";
        break;
      }
    }
    return recorder_->events();
  }
  // Reads until a `retry` came; in ms.
  std::int64_t ReadRetry(std::size_t count = 1) {
    while (recorder_->retries().size() < count && ReadOn()) {
    }
    return recorder_->retries().size() < count ? -1 : recorder_->retries()[count - 1];
  }
  // Reads until the decoded text ends with `end`.
  void ReadUntilText(std::string_view end) {
    while (!text_.ends_with(end) && ReadOn()) {
    }
    EXPECT_TRUE(text_.ends_with(end)) << text_;
  }
  void ReadToEnd() {
    while (ReadOn()) {
    }
  }

  const std::vector<RecordedEvent>& events() const { return recorder_->events(); }
  std::vector<std::string> data() const {
    std::vector<std::string> data;
    for (const RecordedEvent& event : events()) data.push_back(event.data);
    return data;
  }
  const std::string& text() const { return text_; }  // decoded
  bool ended_by_chunk() const { return body_.ended(); }
  RawPeer& peer() { return peer_; }

 private:
  bool ReadOn() {
    head();
    if (!started_) {  // what came with the header
      started_ = true;
      Take(peer_.TakeReceived());
      return true;
    }
    if (!peer_.Read()) return false;
    Take(peer_.TakeReceived());
    return true;
  }

  void Take(std::string_view bytes) {
    std::string body;
    body_.Feed(bytes, body);
    const std::size_t before = text_.size();
    decoder_->Decode(body, text_);
    parser_->Feed(std::string_view(text_).substr(before));
  }

  RawPeer peer_;
  bool started_ = false;
  std::string head_;
  BodyReader body_;
  std::string text_;
  std::unique_ptr<Decoder> decoder_;
  // The parser refers to the recorder: both stay where they are when this moves.
  std::unique_ptr<EventRecorder> recorder_ = std::make_unique<EventRecorder>();
  std::unique_ptr<EventParser> parser_ = std::make_unique<EventParser>(*recorder_);
};

}  // namespace rpcbench
