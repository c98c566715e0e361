#pragma once

#include <memory>
#include <string>

#include "apiserver/authn/remote_answers.h"
#include "apiserver/authz/authorization_options.h"
#include "apiserver/authz/authorizer.h"
#include "base/log.h"

namespace plimsoll::apiserver {

/// Asks another server by SubjectAccessReview. Answers are kept for the times in the options. When
/// the server cannot be asked it has no opinion. Waits unless a WaitBan forbids it. Safe for use by
/// many threads.
class WebhookAuthorizer final : public Authorizer {
 public:
  /// REQUIRES: `options.webhook` is set. The clock and the log must outlive it.
  WebhookAuthorizer(const AuthorizationOptions& options, const Clock& clock, Logger& log);

  Decision Authorize(const User& user, const RequestInfo& what) const override;

 private:
  using Answers = RemoteAnswers<Decision>;
  Answers::Fetched Ask(const std::string& review) const;

  const AuthorizationOptions options_;
  const Clock& clock_;
  Logger& log_;
  mutable Answers answers_;
};

/// The review as upstream sends it. Version v1beta1 calls the groups `group`.
std::string SubjectAccessReviewJson(std::string_view version, const User& user,
                                    const RequestInfo& what);

}  // namespace plimsoll::apiserver
