#pragma once

#include <string>
#include <vector>

#include "apiserver/authn/authentication_options.h"
#include "apiserver/authn/remote_answers.h"
#include "apiserver/authn/token_authenticator.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Authenticates tokens with a webhook (TokenReview).
/// Caches positive and negative answers, but no failed requests. Blocks unless a WaitBan forbids
/// it. Safe for use by many threads.
class WebhookTokens final : public TokenAuthenticator {
 public:
  /// REQUIRES: `options.server` is set. `audiences` are this server's own. The clock and the log
  /// must outlive this object.
  WebhookTokens(const TokenWebhookOptions& options, std::vector<std::string> audiences,
                const Clock& clock, Logger& log);

  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  struct Answer {
    std::optional<TokenIdentity> identity;
    std::string error;  // empty: no error
  };
  using Answers = RemoteAnswers<Answer>;
  Answers::Fetched FetchAnswer(std::string_view token,
                               std::span<const std::string> audiences) const;

  const TokenWebhookOptions options_;
  const std::vector<std::string> audiences_;
  const Clock& clock_;
  Logger& log_;
  mutable Answers answers_;
};

}  // namespace plimsoll::apiserver
