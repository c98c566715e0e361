#pragma once

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Smart pointers for OpenSSL's objects. For .cc files of this folder.
namespace plimsoll::net {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using OwnedBio = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using OwnedKey = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using OwnedCertificate = std::unique_ptr<X509, Freed<X509_free>>;
using OwnedSsl = std::unique_ptr<SSL, Freed<SSL_free>>;
using SharedSslContext = std::shared_ptr<SSL_CTX>;

/// Returns OpenSSL's last error of this thread, and clears its error queue.
std::string OpensslError();

/// Returns null if the text is not of this kind.
OwnedCertificate ParseCertificatePem(std::string_view pem);
OwnedKey ParseKeyPem(std::string_view pem);
/// Returns a BIO that reads the text, which must outlive it.
OwnedBio ReadFrom(std::string_view text);

/// Returns the entries of this kind (NID_commonName …) in the subject, as UTF-8.
std::vector<std::string> SubjectEntries(const X509* certificate, int kind);

/// Returns SHA-256 in lower-case hex.
std::string Fingerprint(const X509* certificate);

}  // namespace plimsoll::net
