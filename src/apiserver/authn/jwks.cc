#include "apiserver/authn/jwks.h"

#include <optional>
#include <utility>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "base/text/base64.h"
#include "codec/json.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr codec::ParseLimits kJwksLimits{
    .bytes_max = kJwksBytesMax, .depth_max = 16, .values_max = 32u << 10};

std::optional<std::string> ReadBytes(const Value& jwk, std::string_view key) {
  Result<std::string> bytes = DecodeBase64(TextAt(jwk, key), Base64::Url);
  if (!bytes || bytes->empty()) return std::nullopt;
  return *std::move(bytes);
}

/// Adds the leading zeros that some issuers omit.
void Pad(std::string_view curve, std::string& coordinate) {
  std::size_t size = 0;
  if (curve == "P-256") size = 32;
  if (curve == "P-384") size = 48;
  if (curve == "P-521") size = 66;
  if (coordinate.size() < size) coordinate.insert(0, size - coordinate.size(), '\0');
}

std::optional<JsonWebKey> ReadJwk(const Value& jwk) {
  const std::string_view use = TextAt(jwk, "use");
  if (!use.empty() && use != "sig") return std::nullopt;
  net::KeyNumbers numbers{.type = std::string(TextAt(jwk, "kty")),
                          .curve = std::string(TextAt(jwk, "crv")),
                          .first = {},
                          .second = {}};
  if (numbers.type != "RSA" && numbers.type != "EC") return std::nullopt;
  const bool is_ec = numbers.type == "EC";
  std::optional<std::string> first = ReadBytes(jwk, is_ec ? "x" : "n");
  std::optional<std::string> second = ReadBytes(jwk, is_ec ? "y" : "e");
  if (!first || !second) return std::nullopt;
  numbers.first = *std::move(first);
  numbers.second = *std::move(second);
  if (is_ec) {
    Pad(numbers.curve, numbers.first);
    Pad(numbers.curve, numbers.second);
  }
  Result<net::VerifyingKey> key = net::VerifyingKey::FromNumbers(numbers);
  if (!key) return std::nullopt;
  return JsonWebKey{std::string(TextAt(jwk, "kid")), std::string(TextAt(jwk, "alg")),
                    *std::move(key)};
}

}  // namespace

Result<std::vector<JsonWebKey>> ParseJwks(std::string text) {
  const auto document = PL_TRY(codec::ParseJson(std::move(text), kJwksLimits));
  const Value* const list = document->root().Find("keys");
  if (list == nullptr || !list->is_array()) {
    return Fail(Reason::BadRequest, "want an object with a list of keys");
  }
  if (list->items().size() > kJwksKeysMax) return Fail(Reason::BadRequest, "too many keys");
  std::vector<JsonWebKey> keys;
  for (const Value& jwk : list->items()) {
    if (std::optional<JsonWebKey> key = ReadJwk(jwk)) keys.push_back(*std::move(key));
  }
  return keys;
}

Result<IssuerMetadata> ParseIssuerMetadata(std::string text) {
  const auto document = PL_TRY(codec::ParseJson(std::move(text), kJwksLimits));
  IssuerMetadata metadata{std::string(TextAt(document->root(), "issuer")),
                          std::string(TextAt(document->root(), "jwks_uri"))};
  if (metadata.issuer.empty() || metadata.jwks_uri.empty()) {
    return Fail(Reason::BadRequest, "want issuer and jwks_uri");
  }
  return metadata;
}

}  // namespace plimsoll::apiserver
