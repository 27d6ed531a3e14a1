// A self-signed certificate, made anew at each start and never stored.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace rpcbench {

struct CertificateFree {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};

struct Certificate {
  std::unique_ptr<EVP_PKEY, CertificateFree> key;  // ECDSA on P-256
  std::unique_ptr<X509, CertificateFree> certificate;
};

// Good for localhost, 127.0.0.1, ::1 and `host`, an IP address or a name, for 30 days. Throws
// Error.
Certificate MakeCertificate(const std::string& host);

// Error with what OpenSSL says last about the step that failed.
[[noreturn]] void ThrowTlsError(const std::string& step);

}  // namespace rpcbench
