#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/limits.h"
#include "base/result.h"
#include "net/signing_key.h"

namespace plimsoll::apiserver {

/// A key of a JSON Web Key Set.
struct JsonWebKey {
  std::string id;         // kid; may be empty
  std::string algorithm;  // alg; empty: any that fits the key
  net::VerifyingKey key;
};

/// Parses a JSON Web Key Set. Skips keys that cannot verify signatures: symmetric, for encryption,
/// with an unknown curve, or malformed. Fails with BadRequest if the text is no key set or has more
/// than kJwksKeysMax keys.
Result<std::vector<JsonWebKey>> ParseJwks(std::string text);

/// Content of a discovery document.
struct IssuerMetadata {
  std::string issuer;
  std::string jwks_uri;
};
/// Fails with BadRequest if the document lacks one of the fields.
Result<IssuerMetadata> ParseIssuerMetadata(std::string text);

}  // namespace plimsoll::apiserver
