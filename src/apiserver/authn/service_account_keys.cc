#include "apiserver/authn/service_account_keys.h"

#include <algorithm>
#include <set>

#include "apiserver/authz/policy_rule.h"
#include "base/text/base64.h"
#include "codec/document.h"
#include "codec/json.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

/// Writes the members in the order of upstream's JSON Web Keys.
Value WriteJwk(const net::VerifyingKey& key, codec::Document& document) {
  const net::KeyNumbers numbers = key.numbers();
  Value jwk = document.NewObject(7);
  document.Set(jwk, "use", Value::String("sig"));
  document.Set(jwk, "kty", document.NewString(numbers.type));
  document.Set(jwk, "kid", document.NewString(key.id()));
  const bool is_ec = numbers.type == "EC";
  if (is_ec) document.Set(jwk, "crv", document.NewString(numbers.curve));
  document.Set(jwk, "alg", document.NewString(key.algorithm()));
  document.Set(jwk, is_ec ? "x" : "n",
               document.NewString(EncodeBase64(numbers.first, Base64::Url)));
  document.Set(jwk, is_ec ? "y" : "e",
               document.NewString(EncodeBase64(numbers.second, Base64::Url)));
  return jwk;
}

void AddOnce(std::vector<net::VerifyingKey>& keys, net::VerifyingKey key) {
  if (std::ranges::find(keys, key.id(), &net::VerifyingKey::id) == keys.end()) {
    keys.push_back(std::move(key));
  }
}

}  // namespace

std::vector<const net::VerifyingKey*> ServiceAccountKeys::Find(std::string_view key_id) const {
  std::vector<const net::VerifyingKey*> found;
  for (const net::VerifyingKey& key : verifying) {
    if (key_id.empty() || key.id() == key_id) found.push_back(&key);
  }
  return found;
}

Result<ServiceAccountKeysPtr> ReadServiceAccountKeys(std::string_view signing_pem,
                                                     std::span<const std::string> verifying_pems) {
  net::SigningKey signing = PL_TRY(net::SigningKey::ReadPem(signing_pem));
  std::vector<net::VerifyingKey> verifying{signing.public_key()};
  for (const std::string& pem : verifying_pems) {
    for (net::VerifyingKey& key : PL_TRY(net::VerifyingKey::ReadPem(pem))) {
      AddOnce(verifying, std::move(key));
    }
  }
  return std::make_shared<const ServiceAccountKeys>(
      ServiceAccountKeys{std::move(signing), std::move(verifying)});
}

std::string JwksJson(const ServiceAccountKeys& keys) {
  codec::Document document;
  Value list = document.NewArray(keys.verifying.size());
  for (const net::VerifyingKey& key : keys.verifying) {
    document.Append(list, WriteJwk(key, document));
  }
  Value root = document.NewObject(1);
  document.Set(root, "keys", list);
  return codec::WriteJson(root);
}

std::string OpenIdConfigurationJson(std::string_view issuer, std::string_view jwks_uri,
                                    const ServiceAccountKeys& keys) {
  std::set<std::string> algorithms;
  for (const net::VerifyingKey& key : keys.verifying) algorithms.emplace(key.algorithm());
  const std::vector<std::string> sorted(algorithms.begin(), algorithms.end());
  codec::Document document;
  Value root = document.NewObject(5);
  document.Set(root, "issuer", document.NewString(issuer));
  document.Set(root, "jwks_uri", document.NewString(jwks_uri));
  document.Set(root, "response_types_supported",
               WriteTexts(std::vector<std::string>{"id_token"}, document));
  document.Set(root, "subject_types_supported",
               WriteTexts(std::vector<std::string>{"public"}, document));
  document.Set(root, "id_token_signing_alg_values_supported", WriteTexts(sorted, document));
  return codec::WriteJson(root);
}

}  // namespace plimsoll::apiserver
