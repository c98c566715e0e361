#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/signing_key.h"

namespace plimsoll::apiserver {

/// Keys of service-account tokens. Immutable, so that a rotation replaces all at once.
struct ServiceAccountKeys {
  net::SigningKey signing;
  std::vector<net::VerifyingKey> verifying;  // signing key's first; each id once

  /// Returns the keys that may have signed a token with this key id. Empty id: all keys.
  std::vector<const net::VerifyingKey*> Find(std::string_view key_id) const;
};

using ServiceAccountKeysPtr = std::shared_ptr<const ServiceAccountKeys>;

/// Each of `verifying_pems` holds any number of public or private keys. The public part of the
/// signing key always verifies, too. Fails with Invalid if a text holds no key.
Result<ServiceAccountKeysPtr> ReadServiceAccountKeys(std::string_view signing_pem,
                                                     std::span<const std::string> verifying_pems);

/// Returns the document of `/openid/v1/jwks`.
std::string JwksJson(const ServiceAccountKeys& keys);
/// Returns the document of `/.well-known/openid-configuration`.
std::string OpenIdConfigurationJson(std::string_view issuer, std::string_view jwks_uri,
                                    const ServiceAccountKeys& keys);

}  // namespace plimsoll::apiserver
