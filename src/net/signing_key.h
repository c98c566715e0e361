#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct evp_pkey_st;

/// Keys of JSON Web Signatures (RFC 7515, RFC 7518): RSA and ECDSA.
namespace plimsoll::net {

/// Public numbers of a key as in a JSON Web Key; bytes, big-endian.
struct KeyNumbers {
  std::string type;    // RSA or EC
  std::string curve;   // for EC: P-256, P-384, P-521
  std::string first;   // RSA: modulus n; EC: x
  std::string second;  // RSA: exponent e; EC: y
};

/// A public key that verifies signatures. Immutable; copies share the key. Safe for use by many
/// threads.
class VerifyingKey {
 public:
  /// Reads all keys of a PEM text: public keys, certificates and private keys, of which only the
  /// public part is kept. Invalid: there is none, or a key that no algorithm fits.
  static Result<std::vector<VerifyingKey>> ReadPem(std::string_view pem);
  /// Invalid: the numbers are no key. RSA keys must have 1024 to 8192 bits and an exponent of at
  /// most 32 bits, EC points must be on their curve.
  static Result<VerifyingKey> FromNumbers(const KeyNumbers& numbers);

  /// Returns true only if `algorithm` (RS256, PS384, ES512, …) fits this type of key and the
  /// signature is valid. HMAC algorithms and `none` are never accepted.
  bool Verify(std::string_view algorithm, std::string_view text, std::string_view signature) const;

  /// Upstream's key id: the SHA-256 of the DER-encoded SubjectPublicKeyInfo, in base64url.
  const std::string& id() const { return id_; }
  /// Algorithm that upstream uses with this key: RS256, ES256, ES384 or ES512.
  std::string_view algorithm() const { return algorithm_; }
  KeyNumbers numbers() const;

 private:
  friend class SigningKey;
  explicit VerifyingKey(std::shared_ptr<evp_pkey_st> key);
  static Result<VerifyingKey> Make(std::shared_ptr<evp_pkey_st> key);

  std::shared_ptr<evp_pkey_st> key_;
  std::string id_;
  std::string algorithm_;
};

/// A private key that signs. Immutable; copies share the key. Safe for use by many threads.
class SigningKey {
 public:
  /// Invalid: the PEM text holds no private RSA or ECDSA key.
  static Result<SigningKey> ReadPem(std::string_view pem);

  /// Signs with the key's algorithm().
  Result<std::string> Sign(std::string_view text) const;
  const VerifyingKey& public_key() const { return public_key_; }

 private:
  explicit SigningKey(VerifyingKey key) : public_key_(std::move(key)) {}

  VerifyingKey public_key_;  // its key_ also has the private part
};

/// Returns the algorithms that VerifyingKey knows, in upstream's order.
const std::vector<std::string>& SigningAlgorithms();

}  // namespace plimsoll::net
