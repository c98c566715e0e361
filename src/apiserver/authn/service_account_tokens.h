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
  /// At least one. The first issues; tokens of all are accepted.
  std::vector<std::string> issuers = {"https://kubernetes.default.svc.cluster.local"};
  std::vector<std::string> audiences;  // of this server; empty: the issuers
  ServiceAccountKeysPtr keys;
  Duration lifetime_max = kTokenLifetimeMax;
};

/// Whom a new token is for, and how long.
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

/// Issues and verifies the tokens of service accounts. A token holds as long as its account, and
/// what else it is bound to, is there with the same uid. Safe for use by many threads.
class ServiceAccountTokens final : public TokenAuthenticator {
 public:
  /// `new_id` gives a text that was never given before. The clock must outlive this.
  ServiceAccountTokens(ServiceAccountTokenOptions options, const Clock& clock, BoundObjects objects,
                       std::function<std::string()> new_id);

  Result<IssuedToken> Issue(const TokenGrant& grant) const;

  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

  /// From now on these keys sign and verify. Tokens of keys that are not among them end at once.
  void ReplaceKeys(ServiceAccountKeysPtr keys);
  ServiceAccountKeysPtr keys() const;
  const std::vector<std::string>& issuers() const { return options_.issuers; }

  /// What a token is made for when nobody says, and what a request's token must be good for.
  const std::vector<std::string>& audiences() const { return options_.audiences; }
  Duration lifetime_max() const { return options_.lifetime_max; }
  const BoundObjects& objects() const { return objects_; }

 private:
  using Claims = std::shared_ptr<const TokenClaims>;

  /// With the signature verified, of this token or of one that came before.
  Result<Claims> Verify(std::string_view token, ParsedToken parsed) const;
  Status CheckTimes(const TokenClaims& claims) const;
  Status CheckObjects(const TokenClaims& claims) const;

  ServiceAccountTokenOptions options_;
  const Clock& clock_;
  BoundObjects objects_;
  std::function<std::string()> new_id_;

  // A signature that was good stays good, and checking it costs more than the whole rest of a
  // request; what can change is looked at each time.
  mutable std::mutex mutex_;    // of both below
  ServiceAccountKeysPtr keys_;  // of which those in verified_ are tokens
  mutable std::map<std::string, Claims, std::less<>> verified_;  // by the SHA-256 of the token
};

/// How many verified tokens are remembered.
inline constexpr std::size_t kVerifiedTokensMax = 10'000;

}  // namespace plimsoll::apiserver
