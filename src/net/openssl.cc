#include "net/openssl.h"

#include <array>

#include "base/text/hex.h"
#include "net/pki.h"

namespace plimsoll::net {

std::string OpensslError() {
  const unsigned long code = ERR_peek_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* const reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "error " + std::to_string(code);
}

OwnedBio ReadFrom(std::string_view text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

OwnedCertificate ParseCertificatePem(std::string_view pem) {
  const OwnedBio bio = ReadFrom(pem);
  OwnedCertificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return certificate;
}

OwnedKey ParseKeyPem(std::string_view pem) {
  const OwnedBio bio = ReadFrom(pem);
  // Without this callback OpenSSL would ask the terminal for the password of an encrypted key.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  OwnedKey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  return key;
}

std::vector<std::string> SubjectEntries(const X509* certificate, int kind) {
  std::vector<std::string> entries;
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  for (int i = -1; (i = X509_NAME_get_index_by_NID(subject, kind, i)) >= 0;) {
    unsigned char* text = nullptr;
    const ASN1_STRING* const data = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, i));
    const int size = ASN1_STRING_to_UTF8(&text, data);
    if (size >= 0) entries.emplace_back(reinterpret_cast<char*>(text), static_cast<size_t>(size));
    OPENSSL_free(text);
  }
  return entries;
}

std::string Fingerprint(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  X509_digest(certificate, EVP_sha256(), digest.data(), &size);
  return HexOf({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace plimsoll::net
