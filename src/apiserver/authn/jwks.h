#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/signing_key.h"

namespace plimsoll::apiserver {

/// A key of a JSON Web Key Set.
struct JsonWebKey {
  std::string id;         // kid; may be empty
  std::string algorithm;  // alg; empty: any that fits the key
  net::VerifyingKey key;
};

inline constexpr std::size_t kJwksBytesMax = 256u << 10;
inline constexpr std::size_t kJwksKeysMax = 128;

/// Reads a JSON Web Key Set. Keys of other kinds (symmetric ones, for encryption, of unknown
/// curves, malformed) are left out. BadRequest for what is no set, or has more than kJwksKeysMax
/// keys.
Result<std::vector<JsonWebKey>> ParseJwks(std::string text);

/// What a discovery document says.
struct IssuerMetadata {
  std::string issuer;
  std::string jwks_uri;
};
/// BadRequest for a document without both.
Result<IssuerMetadata> ParseIssuerMetadata(std::string text);

}  // namespace plimsoll::apiserver
