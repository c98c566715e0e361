#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/document.h"

/// JSON Web Tokens: three parts in base64url, of which the third signs the others.
namespace plimsoll::apiserver {

/// What a token is bound to besides its account: a Pod, a Secret or a Node.
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
  std::int64_t issued_seconds = 0;  // since 1970, as all three
  std::int64_t not_before_seconds = 0;
  std::int64_t expiry_seconds = 0;
  std::string namespace_;
  std::string service_account;
  std::string service_account_uid;
  std::optional<BoundReference> bound;
  std::optional<BoundReference> node;  // the one of a bound pod

  friend bool operator==(const TokenClaims&, const TokenClaims&) = default;
};

/// Any signed token, taken apart. Nothing in it is true before the signature is verified.
struct SignedToken {
  std::string algorithm;
  std::string key_id;
  std::unique_ptr<codec::Document> claims;  // whose root is an object
  std::string_view signed_text;             // in the token
  std::string signature;
};

/// A token of a service account, taken apart. Nothing in it is true before the signature is
/// verified.
struct ParsedToken {
  std::string algorithm;
  std::string key_id;
  TokenClaims claims;
  std::string_view signed_text;  // in the token
  std::string signature;
};

inline constexpr std::size_t kTokenBytesMax = 16u << 10;

/// Whether it has the shape of one at all; a token of another kind is not an error.
bool LooksLikeJwt(std::string_view token);
/// BadRequest for what is none: not three parts, not JSON objects, a key that stands twice, or
/// extensions that must be understood (`crit`).
Result<SignedToken> ParseSignedToken(std::string_view token);
/// BadRequest as well for claims that no service account's token has.
Result<ParsedToken> ParseJwt(std::string_view token);
/// Returns the first two parts, which are to be signed. Without a key id the header has none.
std::string EncodeClaims(const TokenClaims& claims, std::string_view algorithm,
                         std::string_view key_id);
/// The `aud` claim: a list, or one text.
std::vector<std::string> ReadAudiences(const codec::Value& claims);

}  // namespace plimsoll::apiserver
