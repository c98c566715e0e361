#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/issuer_keys.h"
#include "apiserver/authn/jwt_authenticator.h"
#include "apiserver/authn/token_authenticator.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/worker_pool.h"

namespace plimsoll::apiserver {

/// The tokens of all OpenID Connect issuers that are configured, which may change while requests
/// are served. Safe for use by many threads.
class JwtAuthenticators final : public TokenAuthenticator {
 public:
  /// `audiences` are this server's own. The clock and the log must outlive it.
  JwtAuthenticators(std::vector<std::string> audiences, FetchDocument fetch, const Clock& clock,
                    Logger& log);

  /// Replaces all issuers; their keys are fetched soon. Invalid when an expression does not
  /// compile: nothing has changed then.
  Status Replace(std::span<const JwtConfig> configs);
  /// Begins to fetch the keys of issuers where it is time to.
  void FetchKeys();

  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  struct Issuer {
    std::shared_ptr<IssuerKeys> keys;
    std::unique_ptr<JwtAuthenticator> tokens;
  };
  using Issuers = std::shared_ptr<const std::vector<Issuer>>;
  Issuers issuers() const;

  const std::vector<std::string> audiences_;
  const FetchDocument fetch_;
  const Clock& clock_;
  Logger& log_;
  mutable std::mutex mutex_;  // of the next
  Issuers issuers_;
  WorkerPool fetchers_;  // last, so that its threads end before what they use
};

}  // namespace plimsoll::apiserver
