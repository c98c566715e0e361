#include <openssl/ecdsa.h>

#include <array>
#include <cstddef>

#include "net/openssl.h"
#include "net/pki.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kEs256PartSize = 32;  // of r, and of s

using OwnedDigest = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using OwnedSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

const unsigned char* Data(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* Data(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

bool IsP256(const EVP_PKEY* key) {
  std::array<char, 32> group{};
  std::size_t size = 0;
  return EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) == 1 &&
         std::string_view(group.data(), size) == "prime256v1";
}

OwnedKey ParsePublicKey(std::string_view pem) {
  if (const OwnedCertificate certificate = ParseCertificatePem(pem); certificate != nullptr) {
    return OwnedKey(X509_get_pubkey(certificate.get()));
  }
  if (OwnedKey key = ParseKeyPem(pem); key != nullptr) return key;
  const OwnedBio bio = ReadFrom(pem);
  OwnedKey key(PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return key;
}

}  // namespace

Result<std::string> SignEs256(std::string_view key_pem, std::string_view text) {
  const OwnedKey key = ParseKeyPem(key_pem);
  if (key == nullptr || !IsP256(key.get())) {
    return Fail(Reason::Invalid, "want a private ECDSA key on P-256 in PEM form");
  }
  const OwnedDigest digest(EVP_MD_CTX_new());
  std::string der(80, '\0');  // 72 at most on this curve
  std::size_t size = der.size();
  if (EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(digest.get(), Data(der), &size, Data(text), text.size()) != 1) {
    return Fail(Reason::InternalError, "cannot sign: " + OpensslError());
  }
  const unsigned char* at = Data(der);
  const OwnedSignature parts(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(size)));
  std::string raw(2 * kEs256PartSize, '\0');
  if (parts == nullptr ||
      BN_bn2binpad(ECDSA_SIG_get0_r(parts.get()), Data(raw), kEs256PartSize) < 0 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(parts.get()), Data(raw) + kEs256PartSize, kEs256PartSize) < 0) {
    return Fail(Reason::InternalError, "cannot sign: " + OpensslError());
  }
  return raw;
}

bool VerifyEs256(std::string_view pem, std::string_view text, std::string_view signature) {
  if (signature.size() != 2 * kEs256PartSize) return false;
  const OwnedKey key = ParsePublicKey(pem);
  if (key == nullptr || !IsP256(key.get())) return false;
  const OwnedSignature parts(ECDSA_SIG_new());
  BIGNUM* const r = BN_bin2bn(Data(signature), kEs256PartSize, nullptr);
  BIGNUM* const s = BN_bin2bn(Data(signature) + kEs256PartSize, kEs256PartSize, nullptr);
  if (parts == nullptr || ECDSA_SIG_set0(parts.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return false;
  }
  std::array<unsigned char, 80> der;
  unsigned char* end = der.data();
  const int size = i2d_ECDSA_SIG(parts.get(), &end);
  const OwnedDigest digest(EVP_MD_CTX_new());
  const bool good =
      size > 0 &&
      EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestVerify(digest.get(), der.data(), static_cast<std::size_t>(size), Data(text),
                       text.size()) == 1;
  ERR_clear_error();
  return good;
}

}  // namespace plimsoll::net
