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
#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Authenticates tokens of all configured OpenID Connect issuers. The issuers may be replaced while
/// requests are served. Safe for use by many threads.
class JwtAuthenticators final : public TokenAuthenticator {
 public:
  /// `audiences` are this server's own. The clock and the log must outlive this object.
  JwtAuthenticators(std::vector<std::string> audiences, FetchDocument fetch, const Clock& clock,
                    Logger& log);

  /// Replaces all issuers; FetchKeys fetches their keys later. Fails with Invalid and changes
  /// nothing if an expression does not compile.
  Status Replace(std::span<const JwtConfig> configs);
  /// Starts to fetch the keys of issuers that are due.
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
  mutable std::mutex mutex_;  // guards issuers_
  Issuers issuers_;
  WorkerPool fetchers_;  // last: its threads must end before the other members
};

}  // namespace plimsoll::apiserver
