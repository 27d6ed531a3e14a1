// For tests: a stream of the board, decoded and parsed, event by event.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "echo/error.h"
#include "fanout/encode/decoder.h"
#include "fanout/page/http_ask.h"
#include "fanout/sse/parser.h"

namespace rpcbench {

// Reads wait for as long as ctest lets them.
class BoardStream final : EventSink {
 public:
  struct Seen {
    std::string id, name, data;
  };

  BoardStream(const Address& server, const std::string& target, const std::string& accept_encoding,
              const std::string& last_id = "")
      : socket_(io_), events_(*this) {
    socket_.connect({boost::asio::ip::make_address(server.host), server.port});
    http::request<http::empty_body> request(http::verb::get, target, 11);
    request.set(http::field::host, "test");
    request.set(http::field::accept, "text/event-stream");
    request.set(http::field::accept_encoding, accept_encoding);
    if (!last_id.empty()) request.set("Last-Event-ID", last_id);
    http::write(socket_, request);
    parser_.body_limit(boost::none);
    http::read_header(socket_, buffer_, parser_);
    coding = std::string(parser_.get()[http::field::content_encoding]);
    status = parser_.get().result_int();
    decoder_ = MakeDecoder(coding);
  }

  // The next of this name.
  Seen Next(std::string_view name) {
    for (;;) {
      while (seen_.empty()) Read();
      Seen event = std::move(seen_.front());
      seen_.pop_front();
      if (event.name == name) return event;
    }
  }

  std::string coding;
  unsigned status = 0;
  std::chrono::milliseconds retry{-1};  // the last that came
  bool ended = false;

  // Until the server ends the stream.
  void ReadToEnd() {
    while (!ended) Read();
  }

 private:
  void Read() {
    if (ended) throw Error("the stream has ended");
    boost::system::error_code error;
    http::read_some(socket_, buffer_, parser_, error);
    std::string text;
    decoder_->Decode(parser_.get().body(), text);
    parser_.get().body().clear();
    events_.Feed(text);
    ended = error || parser_.is_done();
  }
  void OnEvent(const ReceivedEvent& event) override {
    seen_.push_back({std::string(event.id), std::string(event.name), std::string(event.data)});
  }
  void OnRetry(std::chrono::milliseconds time) override { retry = time; }

  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::string_body> parser_;
  std::unique_ptr<Decoder> decoder_;
  EventParser events_;
  std::deque<Seen> seen_;
};

}  // namespace rpcbench
