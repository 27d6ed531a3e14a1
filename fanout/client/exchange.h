// One GET and its response, whose body comes in pieces and may never end.
#pragma once

#include <utility>  // Boost 1.74's awaitable.hpp needs it first
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/client/url.h"

namespace rpcbench {

struct ExchangeRequest {
  Url url;
  std::vector<std::pair<std::string, std::string>> headers;      // without Host
  bool verify_tls = true;                                        // certificate and name
  std::chrono::nanoseconds deadline = std::chrono::seconds(10);  // of each step up to the header
  std::chrono::nanoseconds silence = std::chrono::seconds(60);   // of the body; then it is broken
};

struct ResponseHead {
  int status = 0;
  std::string content_type;
  std::string content_encoding;
  std::string location;
};

struct ExchangeEnd {
  std::string why;  // what was tried and how it ended; a whole body ends with "end of the stream"
  bool untrusted = false;  // the server's certificate was refused
};

// On the loop's thread. May cancel the exchange it hears from.
class ExchangeSink {
 public:
  virtual void OnHead(const ResponseHead& head) = 0;  // once, first
  virtual void OnBody(std::string_view bytes) = 0;    // not empty; without chunk frames
  virtual void OnEnd(const ExchangeEnd& end) = 0;     // once, last, with or without a head before

 protected:
  ~ExchangeSink() = default;
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  // Closes the connection; the sink hears nothing more and may go. Loop thread; may be repeated.
  virtual void Cancel() = 0;
};

// `sink` is not called before this returns, and outlives the exchange unless it cancels it. `tls`
// is used during this call only; it may be null for http.
std::shared_ptr<Exchange> StartExchange(boost::asio::io_context& loop,
                                        boost::asio::ssl::context* tls,
                                        const ExchangeRequest& request, ExchangeSink& sink);

}  // namespace rpcbench
