#include "fanout/sse/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

#include "fanout/sse/certificate.h"

namespace rpcbench {
namespace {

// OpenSSL's own BIO for sockets writes without MSG_NOSIGNAL: a peer that left would end the
// process.
int DescriptorOf(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

bool TryAgain() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int Write(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const auto sent =
      ::send(DescriptorOf(bio), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && TryAgain()) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int Read(BIO* bio, char* to, int size) {
  BIO_clear_retry_flags(bio);
  const auto got = ::recv(DescriptorOf(bio), to, static_cast<std::size_t>(size), MSG_DONTWAIT);
  if (got < 0 && TryAgain()) BIO_set_retry_read(bio);
  return static_cast<int>(got);
}

long Control(BIO*, int command, long, void*) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int Create(BIO* bio) {
  BIO_set_init(bio, 1);
  return 1;
}

// Chooses HTTP/1.1 from a list of length-prefixed names; who offers only others is refused.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size,
                   const unsigned char* offered, unsigned int offered_size, void*) {
  constexpr std::string_view kHttp = "http/1.1";
  std::string_view rest(reinterpret_cast<const char*>(offered), offered_size);
  while (!rest.empty()) {
    const std::string_view name = rest.substr(1, static_cast<unsigned char>(rest.front()));
    if (name == kHttp) {
      *chosen = reinterpret_cast<const unsigned char*>(name.data());
      *size = static_cast<unsigned char>(name.size());
      return SSL_TLSEXT_ERR_OK;
    }
    rest.remove_prefix(name.size() + 1);
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace

void SslFree::operator()(bio_method_st* method) const {
  BIO_meth_free(method);
}
void SslFree::operator()(ssl_ctx_st* context) const {
  SSL_CTX_free(context);
}
void SslFree::operator()(ssl_st* session) const {
  SSL_free(session);
}

TlsContext::TlsContext(const std::string& host)
    : method_(BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "rpcbench socket")),
      context_(SSL_CTX_new(TLS_server_method())) {
  if (!method_ || !context_) ThrowTlsError("cannot set TLS up");
  BIO_meth_set_write(method_.get(), Write);
  BIO_meth_set_read(method_.get(), Read);
  BIO_meth_set_ctrl(method_.get(), Control);
  BIO_meth_set_create(method_.get(), Create);
  SSL_CTX* const context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  // Writes go on where the kernel stopped, from a chunk that may have moved; an idle session keeps
  // no buffers.
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(context, ChooseProtocol, nullptr);
  const Certificate own = MakeCertificate(host);
  if (SSL_CTX_use_certificate(context, own.certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(context, own.key.get()) != 1) {
    ThrowTlsError("cannot use the certificate for " + host);
  }
}

TlsSession TlsContext::Accept(int descriptor) const {
  TlsSession session(SSL_new(context_.get()));
  BIO* const bio = session ? BIO_new(method_.get()) : nullptr;
  if (!bio) return nullptr;
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)));
  SSL_set_bio(session.get(), bio, bio);
  SSL_set_accept_state(session.get());
  return session;
}

}  // namespace rpcbench
