#include "apiserver/authn/jwt_authenticators.h"

#include <utility>

#include "apiserver/authn/wait_ban.h"

namespace plimsoll::apiserver {

JwtAuthenticators::JwtAuthenticators(std::vector<std::string> audiences, FetchDocument fetch,
                                     const Clock& clock, Logger& log)
    : audiences_(std::move(audiences)),
      fetch_(std::move(fetch)),
      clock_(clock),
      log_(log),
      issuers_(std::make_shared<const std::vector<Issuer>>()),
      fetchers_(2, {.name = "oidc-keys"}) {}

Status JwtAuthenticators::Replace(std::span<const JwtConfig> configs) {
  std::vector<Issuer> made;
  for (const JwtConfig& config : configs) {
    auto keys = std::make_shared<IssuerKeys>(config.issuer, fetch_, clock_, log_);
    auto tokens = PL_TRY(JwtAuthenticator::Make(config, keys, audiences_, clock_));
    made.push_back({std::move(keys), std::move(tokens)});
  }
  {
    const std::scoped_lock lock(mutex_);
    issuers_ = std::make_shared<const std::vector<Issuer>>(std::move(made));
  }
  FetchKeys();
  return {};
}

JwtAuthenticators::Issuers JwtAuthenticators::issuers() const {
  const std::scoped_lock lock(mutex_);
  return issuers_;
}

void JwtAuthenticators::FetchKeys() {
  for (const Issuer& issuer : *issuers()) {
    if (issuer.keys->IsDue()) fetchers_.Run([keys = issuer.keys] { keys->Refresh(); });
  }
}

Result<std::optional<TokenIdentity>> JwtAuthenticators::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  for (const Issuer& issuer : *issuers()) {
    Result<std::optional<TokenIdentity>> found = issuer.tokens->AuthenticateToken(token, audiences);
    // A token has one issuer, so the result of the authenticator that knows it is final.
    if (!found || found->has_value() || WaitBan::IsHit()) return found;
  }
  return std::optional<TokenIdentity>();
}

}  // namespace plimsoll::apiserver
