// A client of one event stream that behaves as a browser's EventSource does, over http and https.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fanout/sse/parser.h"

namespace rpcbench {

// On the loop's thread. May call Close on, or destroy, the source it hears from; must not throw.
class EventSourceSink {
 public:
  // `content_encoding` is empty for identity. Again with each reconnect.
  virtual void OnOpen(std::string_view content_encoding) = 0;
  virtual void OnEvent(const ReceivedEvent& event) = 0;
  // The stream ended or could not be opened; it is tried again after `delay`.
  virtual void OnLost(const std::string& why, std::chrono::milliseconds delay) = 0;
  // For good: a status other than 200 or a redirect's, another type, a refused certificate, too
  // many redirects, one from https to http, bytes that do not decode (a window over 8 MB too), and
  // what passes the parser's bounds.
  virtual void OnFailed(const std::string& why) = 0;

 protected:
  ~EventSourceSink() = default;
};

struct EventSourceOptions {
  std::string url;
  std::string accept_encoding = "gzip, br, zstd";  // empty: no such header
  std::string last_event_id = {};                  // of an earlier source
  bool verify_tls = true;    // false for a certificate made at start, on loopback
  std::string ca_file = {};  // PEM; empty: the system's certificates
  int max_redirects = 20;    // of one attempt

  std::chrono::milliseconds retry{1000};                         // until the server says otherwise
  std::chrono::milliseconds back_off_limit{30'000};              // fanout/client/back_off.h
  std::chrono::nanoseconds deadline = std::chrono::seconds(10);  // of connect, handshake, response
  std::chrono::nanoseconds silence = std::chrono::seconds(60);   // of a stream, heartbeats counted
  ParserOptions parser = {};  // the bounds; its last_event_id is not used

  // Uniform in [0, 1), for the jitter. Null: a generator with a seed of its own.
  std::function<double()> random = {};
  // Calls `then` on the loop's thread after the delay. Null: a timer of the loop.
  std::function<void(std::chrono::milliseconds delay, std::function<void()> then)> wait = {};
};

enum class SourceState { kConnecting, kOpen, kClosed };

// One thread: the loop's, or any while it does not run.
class EventSource final {
 public:
  // Begins to connect when the loop runs. `loop` and `sink` outlive it. Throws Error for an address
  // that is none and a CA file that cannot be read.
  EventSource(boost::asio::io_context& loop, const EventSourceOptions& options,
              EventSourceSink& sink);
  ~EventSource();  // as Close
  EventSource(const EventSource&) = delete;
  EventSource& operator=(const EventSource&) = delete;

  // The sink hears nothing more.
  void Close();

  SourceState state() const;
  const std::string& last_event_id() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rpcbench
