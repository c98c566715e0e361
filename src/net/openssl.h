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

/// OpenSSL's objects with owners. For .cc files of this folder.
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

/// What OpenSSL says of the last failure of this thread; its queue is empty afterwards.
std::string OpensslError();

/// Null when the text is no such thing.
OwnedCertificate ParseCertificatePem(std::string_view pem);
OwnedKey ParseKeyPem(std::string_view pem);
/// For reading the text, which must outlive it.
OwnedBio ReadFrom(std::string_view text);

/// The entries of the subject of that kind (NID_commonName …), as UTF-8.
std::vector<std::string> SubjectEntries(const X509* certificate, int kind);

/// Lower-case hex of SHA-256.
std::string Fingerprint(const X509* certificate);

}  // namespace plimsoll::net
