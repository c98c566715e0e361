#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/authentication_options.h"
#include "apiserver/authn/bound_objects.h"
#include "apiserver/authn/jwt.h"
#include "apiserver/authn/service_account_keys.h"
#include "apiserver/authn/token_authenticator.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

struct ServiceAccountTokenOptions {
  /// At least one. The first issues tokens; tokens of all are accepted.
  std::vector<std::string> issuers = {"https://kubernetes.default.svc.cluster.local"};
  std::vector<std::string> audiences;  // of this server; empty: the issuers
  ServiceAccountKeysPtr keys;
  Duration lifetime_max = kTokenLifetimeMax;
};

/// Account, bound object and lifetime of a new token.
struct TokenGrant {
  std::string namespace_;
  std::string name;
  std::string uid;
  std::vector<std::string> audiences;
  Duration lifetime{};
  std::optional<BoundReference> bound;
  std::optional<BoundReference> node;
};

struct IssuedToken {
  std::string token;
  Instant expires;
};

/// Issues and verifies service-account tokens. A token is valid while its account and its bound
/// object exist with the same uid. Safe for use by many threads.
class ServiceAccountTokens final : public TokenAuthenticator {
 public:
  /// `new_id` must return a new text with each call. The clock must outlive this object.
  ServiceAccountTokens(ServiceAccountTokenOptions options, const Clock& clock, BoundObjects objects,
                       std::function<std::string()> new_id);

  Result<IssuedToken> Issue(const TokenGrant& grant) const;

  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

  /// Replaces the signing and verifying keys. Tokens of other keys become invalid at once.
  void ReplaceKeys(ServiceAccountKeysPtr keys);
  ServiceAccountKeysPtr keys() const;
  const std::vector<std::string>& issuers() const { return options_.issuers; }

  /// Default audiences of new tokens. A request's token must have one of them.
  const std::vector<std::string>& audiences() const { return options_.audiences; }
  Duration lifetime_max() const { return options_.lifetime_max; }
  const BoundObjects& objects() const { return objects_; }

 private:
  using Claims = std::shared_ptr<const TokenClaims>;

  /// Returns the claims after it has verified the signature or found the token in the cache.
  Result<Claims> Verify(std::string_view token, ParsedToken parsed) const;
  Status CheckTimes(const TokenClaims& claims) const;
  Status CheckObjects(const TokenClaims& claims) const;

  ServiceAccountTokenOptions options_;
  const Clock& clock_;
  BoundObjects objects_;
  std::function<std::string()> new_id_;

  // Cache of tokens with a valid signature: verifying one costs more than the rest of a request.
  // Expiry and bound objects are checked each time.
  mutable std::mutex mutex_;    // guards the two members below
  ServiceAccountKeysPtr keys_;  // verified_ holds tokens of these keys only
  mutable std::map<std::string, Claims, std::less<>> verified_;  // by the SHA-256 of the token
};

}  // namespace plimsoll::apiserver
