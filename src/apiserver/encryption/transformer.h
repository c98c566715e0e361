#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/encryption/cipher.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// Prefix of every encrypted value in a store.
inline constexpr std::string_view kEncryptedPrefix = "k8s:enc:";

/// Encrypts and decrypts values with the providers of one rule of an EncryptionConfiguration. The
/// first provider encrypts, all decrypt.
/// Immutable, safe for use by many threads.
class Transformer {
 public:
  /// One key of one provider.
  struct Entry {
    std::string provider;  // `aescbc`; empty for identity
    std::string key_name;
    std::shared_ptr<const Cipher> cipher;  // null for identity

    /// Returns `k8s:enc:aescbc:v1:key1:`, or "" for identity.
    std::string Prefix() const;
  };

  /// REQUIRES: there is at least one entry.
  explicit Transformer(std::vector<Entry> entries);

  /// `context` is the store key of the value.
  Result<std::string> ToStorage(std::string_view plain, std::string_view context) const;
  /// Fails with InternalError and upstream's text if no provider can decrypt the value.
  Result<std::string> FromStorage(std::string_view stored, std::string_view context) const;
  /// Returns true if the value would now be stored with another key or provider.
  bool IsStale(std::string_view stored) const;

 private:
  struct Row {
    std::string prefix;
    std::string provider_prefix;  // `k8s:enc:aescbc:v1:`
    std::string provider;
    std::shared_ptr<const Cipher> cipher;
  };

  std::vector<Row> rows_;
};

}  // namespace plimsoll::apiserver
