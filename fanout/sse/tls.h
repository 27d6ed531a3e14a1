// TLS for a server on one machine: a certificate of its own, and sessions over sockets that never
// wait.
#pragma once

#include <memory>
#include <string>

// OpenSSL's, so that its headers stay out of ours.
struct bio_method_st;
struct ssl_ctx_st;
struct ssl_st;

namespace rpcbench {

struct SslFree {
  void operator()(bio_method_st* method) const;
  void operator()(ssl_ctx_st* context) const;
  void operator()(ssl_st* session) const;
};
using TlsSession = std::unique_ptr<ssl_st, SslFree>;

// TLS 1.2 and up, HTTP/1.1 by ALPN. One thread.
class TlsContext final {
 public:
  // With a new self-signed certificate for localhost, 127.0.0.1, ::1 and `host`. Throws Error.
  explicit TlsContext(const std::string& host);

  // The server's end of a connection; the handshake is done by the first read. The descriptor stays
  // the caller's; the session is gone before the context. Null if there is no memory.
  TlsSession Accept(int descriptor) const;

 private:
  std::unique_ptr<bio_method_st, SslFree> method_;
  std::unique_ptr<ssl_ctx_st, SslFree> context_;
};

}  // namespace rpcbench
