#pragma once

#include <memory>
#include <string>

#include "apiserver/authn/remote_answers.h"
#include "apiserver/authz/authorization_options.h"
#include "apiserver/authz/authorizer.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Authorizes requests with a webhook (SubjectAccessReview). Caches answers for the times in the
/// options. Has no opinion if the webhook cannot be reached. Blocks unless a WaitBan forbids it.
/// Safe for use by many threads.
class WebhookAuthorizer final : public Authorizer {
 public:
  /// REQUIRES: `options.webhook` is set. The clock and the log must outlive this object.
  WebhookAuthorizer(const AuthorizationOptions& options, const Clock& clock, Logger& log);

  Decision Authorize(const User& user, const RequestInfo& what) const override;

 private:
  using Answers = RemoteAnswers<Decision>;
  Answers::Fetched FetchAnswer(const std::string& review) const;

  const AuthorizationOptions options_;
  const Clock& clock_;
  Logger& log_;
  mutable Answers answers_;
};

/// Returns the review as upstream sends it. In v1beta1 the field of the groups is `group`.
std::string SubjectAccessReviewJson(std::string_view version, const User& user,
                                    const RequestInfo& what);

}  // namespace plimsoll::apiserver
