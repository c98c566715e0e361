#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/authentication_options.h"
#include "apiserver/authn/bootstrap_tokens.h"
#include "apiserver/authn/jwt_authenticators.h"
#include "apiserver/authn/service_account_tokens.h"
#include "apiserver/authn/token_authenticator.h"
#include "apiserver/authn/token_file.h"
#include "apiserver/authn/webhook_tokens.h"
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
class TokenAuthentication final {
 public:
  /// Fails with Invalid if a file is not usable; the message names the file.
  static Result<std::unique_ptr<TokenAuthentication>> Make(const AuthenticationOptions& options,
                                                           TokenAuthenticationParts parts);

  const TokenAuthenticator& tokens() const { return tokens_; }
  const ServiceAccountTokens& service_accounts() const { return service_accounts_; }
  /// Paths on which requests without credentials are accepted.
  const AnonymousConfig& anonymous() const { return anonymous_; }
  /// Returns the parts that must be reloaded when their files change.
  std::vector<Reloadable> Reloadables();

 private:
  TokenAuthentication(const AuthenticationOptions& options, TokenAuthenticationParts parts,
                      TokenFile token_file, ServiceAccountKeysPtr keys);

  /// Call first.
  Status Configure();
  const std::vector<std::string>& audiences() const { return service_accounts_.audiences(); }
  std::unique_ptr<WebhookTokens> MakeWebhookTokens(const TokenWebhookOptions& options,
                                                   const Clock& clock, Logger& log) const;
  std::vector<const TokenAuthenticator*> Members() const;

  const AuthenticationOptions options_;
  const std::string own_signing_key_;
  AnonymousConfig anonymous_;
  const TokenFile token_file_;
  ServiceAccountTokens service_accounts_;
  const BootstrapTokens bootstrap_;
  JwtAuthenticators jwt_;
  const std::unique_ptr<WebhookTokens> webhook_;  // null: not configured
  const TokenUnion tokens_;
};

}  // namespace plimsoll::apiserver
