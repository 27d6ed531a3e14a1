// Bytes of a connection to an HTTP request, or to the reason why it is refused. Knows no socket.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "fanout/sse/http.h"

namespace rpcbench {

struct RequestLimits {
  std::size_t header = 8 << 10;  // bytes of the request line and the header fields
  std::size_t body = 64 << 10;   // bytes
};

// An answer that the server gives of its own.
struct HttpRefusal {
  int status;
  std::string_view field;  // a header field that this status asks for, with its line end; or ""
  std::string_view text;
};

// Reads one request; made anew for each. The verdict does not depend on how the bytes were split.
class RequestReader final {
 public:
  explicit RequestReader(const RequestLimits& limits);
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;

  // Takes bytes up to the end of the request and returns how many that were; the rest belongs to
  // the next one. Not once done() or refusal() say that it is over.
  std::size_t Feed(std::string_view bytes);

  bool done() const;                   // the request is whole
  const HttpRefusal* refusal() const;  // it cannot be served and what follows cannot be told apart
  bool started() const;                // a byte of it was seen
  bool expects_continue() const;  // the client holds its body back until it hears 100 (Continue)

  // Once done: what was asked for, with GET also for HEAD.
  const HttpRequest& request() const;
  bool head() const;
  int version() const;  // 10 or 11
  bool keep_alive() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rpcbench
