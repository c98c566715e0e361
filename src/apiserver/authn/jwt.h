#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/document.h"

/// JSON Web Tokens: three base64url parts; the third is the signature of the first two.
namespace plimsoll::apiserver {

/// Object that a token is bound to besides its service account: a Pod, a Secret or a Node.
struct BoundReference {
  std::string kind;
  std::string name;
  std::string uid;

  friend bool operator==(const BoundReference&, const BoundReference&) = default;
};

struct TokenClaims {
  std::string issuer;
  std::string subject;
  std::string id;  // jti
  std::vector<std::string> audiences;
  std::int64_t issued_seconds = 0;  // since 1970, as the next two
  std::int64_t not_before_seconds = 0;
  std::int64_t expiry_seconds = 0;
  std::string namespace_;
  std::string service_account;
  std::string service_account_uid;
  std::optional<BoundReference> bound;
  std::optional<BoundReference> node;  // node of a bound pod

  friend bool operator==(const TokenClaims&, const TokenClaims&) = default;
};

/// A parsed signed token. Do not trust its content before the signature is verified.
struct SignedToken {
  std::string algorithm;
  std::string key_id;
  std::unique_ptr<codec::Document> claims;  // its root is an object
  std::string_view signed_text;             // part of the token
  std::string signature;
};

/// A parsed service-account token.
/// Do not trust its content before the signature is verified.
struct ParsedToken {
  std::string algorithm;
  std::string key_id;
  TokenClaims claims;
  std::string_view signed_text;  // part of the token
  std::string signature;
};

/// Returns true if the text has the shape of a JWT. A token of another kind is no error.
bool LooksLikeJwt(std::string_view token);
/// Fails with BadRequest if the text is no JWT: not three parts, not JSON objects, duplicate keys,
/// or critical extensions (`crit`).
Result<SignedToken> ParseSignedToken(std::string_view token);
/// Also fails with BadRequest if a claim of service-account tokens is missing or malformed.
Result<ParsedToken> ParseJwt(std::string_view token);
/// Returns the first two parts, which must be signed. Omits an empty key id from the header.
std::string EncodeClaims(const TokenClaims& claims, std::string_view algorithm,
                         std::string_view key_id);
/// Reads the `aud` claim: a list or one string.
std::vector<std::string> ReadAudiences(const codec::Value& claims);

}  // namespace plimsoll::apiserver
