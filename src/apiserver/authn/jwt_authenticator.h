#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/claim_expression.h"
#include "apiserver/authn/issuer_keys.h"
#include "apiserver/authn/jwt.h"
#include "apiserver/authn/token_authenticator.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Authenticates tokens of one OpenID Connect issuer. Verifies the signature before it uses claims.
/// Caches valid tokens for ten seconds. Safe for use by many threads.
class JwtAuthenticator final : public TokenAuthenticator {
 public:
  /// Fails with Invalid if an expression of the config does not compile. `audiences` are this
  /// server's own; they are unrelated to the audiences of the issuer's tokens. The clock must
  /// outlive this object.
  static Result<std::unique_ptr<JwtAuthenticator>> Make(const JwtConfig& config,
                                                        std::shared_ptr<IssuerKeys> keys,
                                                        std::vector<std::string> audiences,
                                                        const Clock& clock);

  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  struct Rule {
    ClaimExpression expression;
    std::string message;
  };
  struct Extra {
    std::string key;
    ClaimExpression expression;
  };
  struct Remembered {
    User user;
    Instant until;
  };

  JwtAuthenticator(const JwtConfig& config, std::shared_ptr<IssuerKeys> keys,
                   std::vector<std::string> audiences, const Clock& clock)
      : config_(config), keys_(std::move(keys)), audiences_(std::move(audiences)), clock_(clock) {}

  Status CompileAll();
  Status CheckSignature(const SignedToken& token) const;
  /// Returns the time at which the token expires.
  Result<Instant> CheckClaims(const codec::Value& claims) const;
  Result<User> MapUser(const codec::Value& claims) const;
  Result<std::string> NameOf(const codec::Value& claims, const ExpressionInput& input) const;
  Result<std::vector<std::string>> GroupsOf(const codec::Value& claims,
                                            const ExpressionInput& input) const;
  Result<std::string> UidOf(const codec::Value& claims, const ExpressionInput& input) const;
  Status CheckRules(const codec::Value& claims, const ExpressionInput& input) const;

  const JwtConfig config_;
  const std::shared_ptr<IssuerKeys> keys_;
  const std::vector<std::string> audiences_;
  const Clock& clock_;
  std::optional<ClaimExpression> username_;
  std::optional<ClaimExpression> groups_;
  std::optional<ClaimExpression> uid_;
  std::vector<Extra> extra_;
  std::vector<Rule> claim_rules_;
  std::vector<Rule> user_rules_;

  mutable std::mutex mutex_;
  mutable std::map<std::string, Remembered, std::less<>> remembered_;  // by SHA-256 of the token
};

}  // namespace plimsoll::apiserver
