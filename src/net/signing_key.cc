#include "net/signing_key.h"

#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/ecdsa.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "base/text/base64.h"
#include "net/limits.h"
#include "net/openssl.h"
#include "net/pki.h"

namespace plimsoll::net {
namespace {

using OwnedDigest = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using OwnedSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;
using OwnedNumber = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using OwnedKeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using OwnedBuilder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using OwnedDecoder = std::unique_ptr<OSSL_DECODER_CTX, Freed<OSSL_DECODER_CTX_free>>;
using OwnedParams = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;

// A smaller key is too weak.
constexpr int kRsaBitsMin = 1024;

const unsigned char* Data(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* Data(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct Curve {
  std::string_view name;   // in JSON Web Keys
  std::string_view group;  // in OpenSSL
  std::string_view algorithm;
  std::size_t bytes;  // size of a coordinate
};
constexpr std::array kCurves = {
    Curve{"P-256", "prime256v1", "ES256", 32},
    Curve{"P-384", "secp384r1", "ES384", 48},
    Curve{"P-521", "secp521r1", "ES512", 66},
};

/// Returns null if the key is no EC key or is on another curve.
const Curve* CurveOf(const EVP_PKEY* key) {
  std::array<char, 64> group{};
  std::size_t size = 0;
  if (EVP_PKEY_is_a(key, "EC") != 1 ||
      EVP_PKEY_get_group_name(key, group.data(), group.size(), &size) != 1) {
    ERR_clear_error();
    return nullptr;
  }
  const std::string_view name(group.data(), size);
  const auto* const found = std::ranges::find(kCurves, name, &Curve::group);
  return found != kCurves.end() ? found : nullptr;
}

OwnedNumber NumberOf(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &number) != 1) ERR_clear_error();
  return OwnedNumber(number);
}

OwnedNumber NumberFrom(std::string_view bytes) {
  return OwnedNumber(BN_bin2bn(Data(bytes), static_cast<int>(bytes.size()), nullptr));
}

std::string BytesOf(const BIGNUM* number, std::size_t size) {
  if (number == nullptr) return {};
  std::string bytes(std::max(size, static_cast<std::size_t>(BN_num_bytes(number))), '\0');
  if (BN_bn2binpad(number, Data(bytes), static_cast<int>(bytes.size())) < 0) return {};
  return bytes;
}

/// Returns an empty text if no algorithm fits the key.
std::string_view AlgorithmOf(const EVP_PKEY* key) {
  if (const Curve* const curve = CurveOf(key)) return curve->algorithm;
  if (EVP_PKEY_is_a(key, "RSA") != 1) return {};
  const int bits = EVP_PKEY_get_bits(key);
  const OwnedNumber exponent = NumberOf(key, OSSL_PKEY_PARAM_RSA_E);
  const bool is_sound = bits >= kRsaBitsMin && bits <= kRsaBitsMax && exponent != nullptr &&
                        BN_is_odd(exponent.get()) && !BN_is_one(exponent.get()) &&
                        BN_num_bits(exponent.get()) <= kRsaExponentBitsMax;
  return is_sound ? std::string_view("RS256") : std::string_view();
}

const EVP_MD* DigestOf(std::string_view algorithm) {
  if (algorithm.ends_with("256")) return EVP_sha256();
  return algorithm.ends_with("384") ? EVP_sha384() : EVP_sha512();
}

Result<std::shared_ptr<evp_pkey_st>> MakeKeyOf(const char* type, OSSL_PARAM_BLD* builder) {
  const OwnedParams params(OSSL_PARAM_BLD_to_param(builder));
  const OwnedKeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  const bool is_made =
      params != nullptr && context != nullptr && EVP_PKEY_fromdata_init(context.get()) == 1 &&
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, params.get()) == 1;
  std::shared_ptr<evp_pkey_st> owned(key, EVP_PKEY_free);
  ERR_clear_error();
  if (!is_made) return Fail(Reason::Invalid, "not a valid public key");
  return owned;
}

Result<std::shared_ptr<evp_pkey_st>> RsaFrom(const KeyNumbers& numbers) {
  constexpr std::size_t kModulusBytesMax = kRsaBitsMax / 8 + 1;
  if (numbers.first.size() > kModulusBytesMax || numbers.second.size() > sizeof(std::uint64_t)) {
    return Fail(Reason::Invalid, "the RSA key is too large");
  }
  const OwnedNumber modulus = NumberFrom(numbers.first);
  const OwnedNumber exponent = NumberFrom(numbers.second);
  const OwnedBuilder builder(OSSL_PARAM_BLD_new());
  if (modulus == nullptr || exponent == nullptr || builder == nullptr ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get()) != 1) {
    return Fail(Reason::InternalError, "cannot read an RSA key: " + OpensslError());
  }
  return MakeKeyOf("RSA", builder.get());
}

Result<std::shared_ptr<evp_pkey_st>> EcFrom(const KeyNumbers& numbers) {
  const auto* const curve =
      std::ranges::find(kCurves, std::string_view(numbers.curve), &Curve::name);
  if (curve == kCurves.end()) return Fail(Reason::Invalid, "unknown curve");
  if (numbers.first.size() != curve->bytes || numbers.second.size() != curve->bytes) {
    return Fail(Reason::Invalid, "the coordinates have the wrong size");
  }
  const std::string point = "\x04" + numbers.first + numbers.second;  // uncompressed
  const OwnedBuilder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME,
                                      curve->group.data(), curve->group.size()) != 1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return Fail(Reason::InternalError, "cannot read an EC key: " + OpensslError());
  }
  std::shared_ptr<evp_pkey_st> key = PL_TRY(MakeKeyOf("EC", builder.get()));
  const OwnedKeyContext check(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
  const bool is_good = check != nullptr && EVP_PKEY_public_check(check.get()) == 1;
  ERR_clear_error();
  if (!is_good) return Fail(Reason::Invalid, "the point is not on the curve");
  return key;
}

/// Converts a signature from JSON Web Signatures (r and s concatenated) to OpenSSL's DER form.
std::optional<std::string> ToDer(std::string_view raw, std::size_t part) {
  if (raw.size() != 2 * part) return std::nullopt;
  const OwnedSignature parts(ECDSA_SIG_new());
  OwnedNumber r = NumberFrom(raw.substr(0, part));
  OwnedNumber s = NumberFrom(raw.substr(part));
  if (parts == nullptr || r == nullptr || s == nullptr ||
      ECDSA_SIG_set0(parts.get(), r.get(), s.get()) != 1) {
    return std::nullopt;
  }
  static_cast<void>(r.release());
  static_cast<void>(s.release());
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(parts.get(), &der);
  if (size <= 0) return std::nullopt;
  std::string text(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return text;
}

Result<std::string> FromDer(std::string_view der, std::size_t part) {
  const unsigned char* at = Data(der);
  const OwnedSignature parts(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (parts == nullptr) return Fail(Reason::InternalError, "cannot sign: " + OpensslError());
  return BytesOf(ECDSA_SIG_get0_r(parts.get()), part) +
         BytesOf(ECDSA_SIG_get0_s(parts.get()), part);
}

bool CheckSignature(EVP_PKEY* key, std::string_view algorithm, std::string_view text,
                    std::string_view signature) {
  const OwnedDigest digest(EVP_MD_CTX_new());
  EVP_PKEY_CTX* context = nullptr;  // owned by the digest
  if (digest == nullptr ||
      EVP_DigestVerifyInit(digest.get(), &context, DigestOf(algorithm), nullptr, key) != 1) {
    return false;
  }
  if (algorithm.starts_with("PS") &&
      (EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) != 1 ||
       EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_AUTO) != 1)) {
    return false;
  }
  return EVP_DigestVerify(digest.get(), Data(signature), signature.size(), Data(text),
                          text.size()) == 1;
}

/// Reads one PEM block as a key. Returns null if it holds none.
std::shared_ptr<evp_pkey_st> KeyOfBlock(std::string_view block) {
  if (const OwnedCertificate certificate = ParseCertificatePem(block); certificate != nullptr) {
    return {X509_get_pubkey(certificate.get()), EVP_PKEY_free};
  }
  if (OwnedKey key = ParseKeyPem(block); key != nullptr) return {key.release(), EVP_PKEY_free};
  // Accepts `PUBLIC KEY` and the older `RSA PUBLIC KEY`.
  const OwnedBio bio = ReadFrom(block);
  EVP_PKEY* key = nullptr;
  const OwnedDecoder decoder(OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", nullptr, nullptr,
                                                           EVP_PKEY_PUBLIC_KEY, nullptr, nullptr));
  if (decoder != nullptr) static_cast<void>(OSSL_DECODER_from_bio(decoder.get(), bio.get()));
  ERR_clear_error();
  return {key, EVP_PKEY_free};
}

}  // namespace

VerifyingKey::VerifyingKey(std::shared_ptr<evp_pkey_st> key)
    : key_(std::move(key)), algorithm_(AlgorithmOf(key_.get())) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key_.get(), &der);
  if (size > 0) {
    const std::string_view bytes(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
    id_ = EncodeBase64(Sha256(bytes), Base64::Url);
  }
  OPENSSL_free(der);
}

Result<VerifyingKey> VerifyingKey::Make(std::shared_ptr<evp_pkey_st> key) {
  VerifyingKey made(std::move(key));
  if (made.algorithm_.empty()) {
    return Fail(Reason::Invalid,
                "want an RSA key of 1024 to 8192 bits, or an ECDSA key on P-256, P-384 or P-521");
  }
  return made;
}

Result<std::vector<VerifyingKey>> VerifyingKey::ReadPem(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  std::vector<VerifyingKey> keys;
  for (std::size_t at = pem.find(kBegin); at != std::string_view::npos;) {
    const std::size_t next = pem.find(kBegin, at + 1);
    std::shared_ptr<evp_pkey_st> key = KeyOfBlock(pem.substr(at, next - at));
    // Skip blocks of other kinds, such as EC PARAMETERS.
    if (key != nullptr) keys.push_back(PL_TRY(Make(std::move(key))));
    at = next;
  }
  if (keys.empty())
    return Fail(Reason::Invalid, "data does not contain any valid RSA or ECDSA public keys");
  return keys;
}

Result<VerifyingKey> VerifyingKey::FromNumbers(const KeyNumbers& numbers) {
  if (numbers.type == "RSA") return Make(PL_TRY(RsaFrom(numbers)));
  if (numbers.type == "EC") return Make(PL_TRY(EcFrom(numbers)));
  return Fail(Reason::Invalid, "unknown type of key");
}

KeyNumbers VerifyingKey::numbers() const {
  if (const Curve* const curve = CurveOf(key_.get())) {
    return {.type = "EC",
            .curve = std::string(curve->name),
            .first = BytesOf(NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X).get(), curve->bytes),
            .second = BytesOf(NumberOf(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y).get(), curve->bytes)};
  }
  return {.type = "RSA",
          .curve = {},
          .first = BytesOf(NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_N).get(), 0),
          .second = BytesOf(NumberOf(key_.get(), OSSL_PKEY_PARAM_RSA_E).get(), 0)};
}

bool VerifyingKey::Verify(std::string_view algorithm, std::string_view text,
                          std::string_view signature) const {
  if (std::ranges::find(SigningAlgorithms(), algorithm) == SigningAlgorithms().end()) return false;
  const Curve* const curve = CurveOf(key_.get());
  bool is_good = false;
  if (curve == nullptr) {
    is_good =
        !algorithm.starts_with("ES") && CheckSignature(key_.get(), algorithm, text, signature);
  } else if (algorithm == curve->algorithm) {
    const std::optional<std::string> der = ToDer(signature, curve->bytes);
    is_good = der && CheckSignature(key_.get(), algorithm, text, *der);
  }
  ERR_clear_error();
  return is_good;
}

Result<SigningKey> SigningKey::ReadPem(std::string_view pem) {
  OwnedKey key = ParseKeyPem(pem);
  if (key == nullptr) {
    return Fail(Reason::Invalid, "data does not contain a valid RSA or ECDSA private key");
  }
  return SigningKey(
      PL_TRY(VerifyingKey::Make(std::shared_ptr<evp_pkey_st>(key.release(), EVP_PKEY_free))));
}

Result<std::string> SigningKey::Sign(std::string_view text) const {
  EVP_PKEY* const key = public_key_.key_.get();
  const OwnedDigest digest(EVP_MD_CTX_new());
  std::string signature(static_cast<std::size_t>(EVP_PKEY_get_size(key)), '\0');
  std::size_t size = signature.size();
  if (digest == nullptr ||
      EVP_DigestSignInit(digest.get(), nullptr, DigestOf(public_key_.algorithm()), nullptr, key) !=
          1 ||
      EVP_DigestSign(digest.get(), Data(signature), &size, Data(text), text.size()) != 1) {
    return Fail(Reason::InternalError, "cannot sign: " + OpensslError());
  }
  signature.resize(size);
  const Curve* const curve = CurveOf(key);
  return curve == nullptr ? signature : FromDer(signature, curve->bytes);
}

const std::vector<std::string>& SigningAlgorithms() {
  static const std::vector<std::string> kAlgorithms = {"ES256", "ES384", "ES512", "PS256", "PS384",
                                                       "PS512", "RS256", "RS384", "RS512"};
  return kAlgorithms;
}

}  // namespace plimsoll::net
