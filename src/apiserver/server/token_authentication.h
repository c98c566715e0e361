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

/// What authentication asks of the rest of the server. All must outlive it.
struct TokenAuthenticationParts {
  Clock& clock;
  Logger& log;
  BoundObjects objects;
  BootstrapSecrets bootstrap_secrets;
  std::function<std::string()> new_id;  // for tokens, never the same twice
  std::string own_signing_key;          // in PEM form, for when no file is given
};

/// All kinds of bearer tokens, put together as the options say, in upstream's order.
class TokenAuthentication {
 public:
  /// Invalid when a file is not usable; the message names it.
  static Result<std::unique_ptr<TokenAuthentication>> Make(const AuthenticationOptions& options,
                                                           TokenAuthenticationParts parts);
  virtual ~TokenAuthentication() = default;

  virtual const TokenAuthenticator& tokens() const = 0;
  virtual const ServiceAccountTokens& service_accounts() const = 0;
  /// Where requests without credentials are let in.
  virtual const AnonymousConfig& anonymous() const = 0;
  /// What is to be read again when its files change.
  virtual std::vector<Reloadable> Reloadables() = 0;
};

}  // namespace plimsoll::apiserver
