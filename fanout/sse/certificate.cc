#include "fanout/sse/certificate.h"

#include <arpa/inet.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr long kDay = 24 * 60 * 60;

// `host` as OpenSSL writes it in a list of names, with a comma in front; "" if it is there already.
std::string NameFor(const std::string& host) {
  if (host == "localhost" || host == "127.0.0.1" || host == "::1") return "";
  std::array<unsigned char, sizeof(in6_addr)> address{};
  const bool is_address = inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
                          inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
  return (is_address ? ",IP:" : ",DNS:") + host;
}

void AddExtension(X509* certificate, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  if (!extension || X509_add_ext(certificate, extension, -1) != 1) {
    X509_EXTENSION_free(extension);
    ThrowTlsError("cannot make a certificate with " + value);
  }
  X509_EXTENSION_free(extension);
}

void SetSerial(X509* certificate) {
  std::uint64_t serial = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) != 1) {
    ThrowTlsError("cannot draw a certificate's serial number");
  }
  // Browsers refuse two certificates of one issuer with one serial number.
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1);
}

}  // namespace

void ThrowTlsError(const std::string& step) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_get_error(), reason.data(), reason.size());
  throw Error(step + ": " + reason.data());
}

Certificate MakeCertificate(const std::string& host) {
  Certificate made{decltype(Certificate::key)(EVP_EC_gen("P-256")),
                   decltype(Certificate::certificate)(X509_new())};
  X509* const certificate = made.certificate.get();
  if (!made.key || !certificate) ThrowTlsError("cannot make a key for TLS");
  X509_set_version(certificate, X509_VERSION_3);
  SetSerial(certificate);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -kDay);  // clocks differ
  X509_gmtime_adj(X509_getm_notAfter(certificate), 30 * kDay);
  X509_set_pubkey(certificate, made.key.get());
  X509_NAME* const name = X509_get_subject_name(certificate);
  const auto* const common = reinterpret_cast<const unsigned char*>("localhost");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  AddExtension(certificate, NID_basic_constraints, "critical,CA:FALSE");
  AddExtension(certificate, NID_key_usage, "critical,digitalSignature");
  AddExtension(certificate, NID_ext_key_usage, "serverAuth");
  AddExtension(certificate, NID_subject_alt_name,
               "DNS:localhost,IP:127.0.0.1,IP:::1" + NameFor(host));
  if (X509_sign(certificate, made.key.get(), EVP_sha256()) == 0) {
    ThrowTlsError("cannot sign the certificate for " + host);
  }
  return made;
}

}  // namespace rpcbench
