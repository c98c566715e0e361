#include "net/pki.h"

#include <arpa/inet.h>
#include <openssl/rand.h>

#include <array>
#include <ctime>

#include "net/openssl.h"

namespace plimsoll::net {
namespace {

using OwnedExtension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

std::unexpected<Error> OpensslFailed(std::string_view doing) {
  return Fail(Reason::InternalError, std::string(doing) + ": " + OpensslError());
}

std::string ToText(const BIO& bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(const_cast<BIO*>(&bio), &data);
  return {data, static_cast<std::size_t>(size)};
}

Result<std::string> KeyToPem(EVP_PKEY* key) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return OpensslFailed("cannot write a key");
  }
  return ToText(*bio);
}

Result<KeyPair> ToPem(X509* certificate, EVP_PKEY* key) {
  const OwnedBio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), certificate) != 1) {
    return OpensslFailed("cannot write a certificate");
  }
  return KeyPair{.certificate_pem = ToText(*bio), .key_pem = PL_TRY(KeyToPem(key))};
}

bool AddExtension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const OwnedExtension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

/// Uses 127 random bits, so that the number is positive in 16 bytes and cannot be guessed.
bool SetSerial(X509* certificate) {
  std::array<unsigned char, 16> bytes;
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x7f) | 0x40);
  const std::unique_ptr<BIGNUM, Freed<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number != nullptr &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

std::time_t ToSeconds(Instant time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// An explicit type avoids OpenSSL's limit of 64 characters, which node names exceed.
bool AddToName(X509_NAME* name, int kind, const std::string& value) {
  return X509_NAME_add_entry_by_NID(name, kind, V_ASN1_UTF8STRING,
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

/// Sets everything except the issuer, the extensions and the signature.
Result<OwnedCertificate> StartCertificate(const CertificateRequest& request, EVP_PKEY* key) {
  OwnedCertificate certificate(X509_new());
  X509* const x509 = certificate.get();
  bool good = x509 != nullptr && X509_set_version(x509, X509_VERSION_3) == 1 && SetSerial(x509) &&
              X509_set_pubkey(x509, key) == 1;
  good = good && ASN1_TIME_set(X509_getm_notBefore(x509), ToSeconds(request.not_before)) != nullptr;
  good = good && ASN1_TIME_set(X509_getm_notAfter(x509),
                               ToSeconds(request.not_before + request.lifetime)) != nullptr;
  X509_NAME* const subject = good ? X509_get_subject_name(x509) : nullptr;
  for (const std::string& organization : request.organizations) {
    good = good && AddToName(subject, NID_organizationName, organization);
  }
  good = good && AddToName(subject, NID_commonName, request.common_name);
  if (!good) return OpensslFailed("cannot make a certificate");
  return certificate;
}

Result<OwnedKey> MakeKey() {
  OwnedKey key(EVP_EC_gen("P-256"));
  if (key == nullptr) return OpensslFailed("cannot make a key");
  return key;
}

/// Builds the list itself: in a configuration line, a name with a comma would become two.
bool AddNames(X509* certificate, const std::vector<std::string>& names) {
  const std::unique_ptr<GENERAL_NAMES, Freed<GENERAL_NAMES_free>> all(sk_GENERAL_NAME_new_null());
  for (const std::string& text : names) {
    std::array<unsigned char, 16> address;
    int size = inet_pton(AF_INET, text.c_str(), address.data()) == 1 ? 4 : 0;
    if (size == 0 && inet_pton(AF_INET6, text.c_str(), address.data()) == 1) size = 16;
    std::unique_ptr<ASN1_STRING, Freed<ASN1_STRING_free>> value(size > 0 ? ASN1_OCTET_STRING_new()
                                                                         : ASN1_IA5STRING_new());
    const void* const data = size > 0 ? static_cast<const void*>(address.data()) : text.data();
    if (value == nullptr ||
        ASN1_STRING_set(value.get(), data, size > 0 ? size : static_cast<int>(text.size())) != 1) {
      return false;
    }
    std::unique_ptr<GENERAL_NAME, Freed<GENERAL_NAME_free>> name(GENERAL_NAME_new());
    if (name == nullptr) return false;
    GENERAL_NAME_set0_value(name.get(), size > 0 ? GEN_IPADD : GEN_DNS, value.release());
    if (sk_GENERAL_NAME_push(all.get(), name.get()) <= 0) return false;
    static_cast<void>(name.release());
  }
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, all.get(), 0, X509V3_ADD_APPEND) == 1;
}

std::vector<std::string> ReadNames(const X509* certificate) {
  std::vector<std::string> names;
  const std::unique_ptr<GENERAL_NAMES, Freed<GENERAL_NAMES_free>> all(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(all.get()); ++i) {
    int type = 0;
    const auto* const value = static_cast<const ASN1_STRING*>(
        GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(all.get(), i), &type));
    if (type != GEN_DNS && type != GEN_IPADD) continue;
    const unsigned char* const data = ASN1_STRING_get0_data(value);
    const int size = ASN1_STRING_length(value);
    if (type == GEN_DNS) {
      names.emplace_back(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    } else if (size == 4 || size == 16) {
      std::array<char, INET6_ADDRSTRLEN> text;
      names.emplace_back(inet_ntop(size == 4 ? AF_INET : AF_INET6, data, text.data(), text.size()));
    }
  }
  return names;
}

Instant ReadTime(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return Instant(std::chrono::seconds(timegm(&parts)));
}

}  // namespace

Result<KeyPair> MakeAuthority(std::string_view common_name, Instant not_before, Duration lifetime) {
  const OwnedKey key = PL_TRY(MakeKey());
  const OwnedCertificate certificate =
      PL_TRY(StartCertificate({.common_name = std::string(common_name),
                               .organizations = {},
                               .names = {},
                               .not_before = not_before,
                               .lifetime = lifetime},
                              key.get()));
  X509* const x509 = certificate.get();
  const bool good =
      X509_set_issuer_name(x509, X509_get_subject_name(x509)) == 1 &&
      AddExtension(x509, x509, NID_basic_constraints, "critical,CA:TRUE") &&
      AddExtension(x509, x509, NID_key_usage, "critical,digitalSignature,keyCertSign,cRLSign") &&
      AddExtension(x509, x509, NID_subject_key_identifier, "hash") &&
      AddExtension(x509, x509, NID_authority_key_identifier, "keyid:always") &&
      X509_sign(x509, key.get(), EVP_sha256()) > 0;
  if (!good) return OpensslFailed("cannot make a certificate authority");
  return ToPem(x509, key.get());
}

Result<KeyPair> IssueCertificate(const KeyPair& authority, const CertificateRequest& request) {
  const OwnedCertificate issuer = ParseCertificatePem(authority.certificate_pem);
  const OwnedKey issuer_key = ParseKeyPem(authority.key_pem);
  if (issuer == nullptr || issuer_key == nullptr) {
    return Fail(Reason::Invalid, "cannot read the CA's certificate or key as PEM");
  }
  if (X509_check_private_key(issuer.get(), issuer_key.get()) != 1) {
    ERR_clear_error();
    return Fail(Reason::Invalid, "the CA's key does not match its certificate");
  }
  const OwnedKey key = PL_TRY(MakeKey());
  const OwnedCertificate certificate = PL_TRY(StartCertificate(request, key.get()));
  X509* const x509 = certificate.get();
  const char* const use = request.names.empty() ? "clientAuth" : "serverAuth";
  const bool good =
      X509_set_issuer_name(x509, X509_get_subject_name(issuer.get())) == 1 &&
      AddExtension(x509, issuer.get(), NID_basic_constraints, "critical,CA:FALSE") &&
      AddExtension(x509, issuer.get(), NID_key_usage, "critical,digitalSignature") &&
      AddExtension(x509, issuer.get(), NID_ext_key_usage, use) &&
      AddExtension(x509, issuer.get(), NID_subject_key_identifier, "hash") &&
      AddExtension(x509, issuer.get(), NID_authority_key_identifier, "keyid:always") &&
      (request.names.empty() || AddNames(x509, request.names)) &&
      X509_sign(x509, issuer_key.get(), EVP_sha256()) > 0;
  if (!good) return OpensslFailed("cannot issue a certificate");
  return ToPem(x509, key.get());
}

Result<CertificateFacts> ReadCertificate(std::string_view pem) {
  const OwnedCertificate certificate = ParseCertificatePem(pem);
  if (certificate == nullptr) return Fail(Reason::Invalid, "not a certificate in PEM form");
  CertificateFacts facts;
  const std::vector<std::string> names = SubjectEntries(certificate.get(), NID_commonName);
  // Use the last of several names, as Go does, because most clients are written in Go.
  if (!names.empty()) facts.common_name = names.back();
  facts.organizations = SubjectEntries(certificate.get(), NID_organizationName);
  facts.names = ReadNames(certificate.get());
  facts.not_before = ReadTime(X509_get0_notBefore(certificate.get()));
  facts.not_after = ReadTime(X509_get0_notAfter(certificate.get()));
  return facts;
}

Result<std::string> MakeSigningKey() {
  const OwnedKey key = PL_TRY(MakeKey());
  return KeyToPem(key.get());
}

}  // namespace plimsoll::net
