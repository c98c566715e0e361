#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/authentication_options.h"
#include "apiserver/authn/bootstrap_tokens.h"
#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/authn/token_authenticator.h"
#include "apiserver/credentials/reloader.h"
#include "base/clock.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Dependencies of authentication. All must outlive it.
struct TokenAuthenticationParts {
  Clock& clock;
  Logger& log;
  BoundObjects objects;
  BootstrapSecrets bootstrap_secrets;
  std::function<std::string()> new_id;  // returns a new token id with each call
  std::string own_signing_key;          // in PEM form, used if the options name no key file
};

/// All bearer-token authenticators that the options enable, in upstream's order.
class TokenAuthentication {
 public:
  /// Fails with Invalid if a file is not usable; the message names the file.
  static Result<std::unique_ptr<TokenAuthentication>> Make(const AuthenticationOptions& options,
                                                           TokenAuthenticationParts parts);
  virtual ~TokenAuthentication() = default;

  virtual const TokenAuthenticator& tokens() const = 0;
  virtual const ServiceAccountTokens& service_accounts() const = 0;
  /// Paths on which requests without credentials are accepted.
  virtual const AnonymousConfig& anonymous() const = 0;
  /// Returns the parts that must be reloaded when their files change.
  virtual std::vector<Reloadable> Reloadables() = 0;
};

}  // namespace plimsoll::apiserver
