#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/encryption/cipher.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// What every encrypted value in a store begins with.
inline constexpr std::string_view kEncryptedPrefix = "k8s:enc:";

/// Turns values into what is stored, and back, by the providers of one rule of an
/// EncryptionConfiguration: the first one writes, all of them read. Immutable, safe for use by many
/// threads.
class Transformer {
 public:
  /// One key of one provider.
  struct Entry {
    std::string provider;  // `aescbc`; empty for identity
    std::string key_name;
    std::shared_ptr<const Cipher> cipher;  // null for identity

    /// `k8s:enc:aescbc:v1:key1:`; empty for identity.
    std::string Prefix() const;
  };

  /// At least one.
  explicit Transformer(std::vector<Entry> entries);

  /// `context` is the value's key in the store.
  Result<std::string> ToStorage(std::string_view plain, std::string_view context) const;
  /// InternalError, in upstream's words, when no provider can read it.
  Result<std::string> FromStorage(std::string_view stored, std::string_view context) const;
  /// Whether the value would be stored in another way now: by another key, or another provider.
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
