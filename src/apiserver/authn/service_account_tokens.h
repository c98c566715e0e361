#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/bound_objects.h"
#include "apiserver/authn/jwt.h"
#include "apiserver/authn/token_authenticator.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// The longest life of a token unless --service-account-max-token-expiration says otherwise.
/// Upstream has no limit by default.
inline constexpr Duration kTokenLifetimeMax = std::chrono::hours(48);

struct ServiceAccountTokenOptions {
  std::string issuer = "https://kubernetes.default.svc.cluster.local";
  std::vector<std::string> audiences;  // of this server; empty: the issuer
  std::string key_pem;                 // signs and verifies
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
  mutable std::mutex mutex_;
  mutable std::map<std::string, Claims, std::less<>> verified_;  // by the SHA-256 of the token
};

/// How many verified tokens are remembered.
inline constexpr std::size_t kVerifiedTokensMax = 10'000;

}  // namespace plimsoll::apiserver
