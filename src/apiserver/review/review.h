#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/authn/token_authenticator.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rule_resolver.h"
#include "codec/value.h"

/// Review kinds: the client posts an object and gets it back with a status, as JSON with code 201.
/// `review` is the decoded request, already checked against its schema.
namespace plimsoll::apiserver {

/// `audiences` are this server's. They apply to reviews that name none.
api::Answer<std::string> ReviewToken(const codec::Value& review, const TokenAuthenticator& tokens,
                                     std::span<const std::string> audiences);
/// Serves `kubectl auth whoami`.
api::Answer<std::string> ReviewSelf(const codec::Value& review, const User& user);

api::Answer<std::string> ReviewSubjectAccess(const codec::Value& review,
                                             const Authorizer& authorizer);
/// `namespace_` is the namespace in the request's path.
api::Answer<std::string> ReviewLocalSubjectAccess(const codec::Value& review,
                                                  std::string_view namespace_,
                                                  const Authorizer& authorizer);
/// Serves `kubectl auth can-i`.
api::Answer<std::string> ReviewSelfSubjectAccess(const codec::Value& review, const User& user,
                                                 const Authorizer& authorizer);
/// Serves `kubectl auth can-i --list`.
api::Answer<std::string> ReviewSelfSubjectRules(const codec::Value& review, const User& user,
                                                const RuleResolver& rules);

/// Authenticator and authorizers that AnswerReview asks.
struct ReviewAuthorizers {
  const TokenAuthenticator& tokens;
  std::span<const std::string> audiences;
  const Authorizer& authorizer;
  const RuleResolver& rules;
};

/// Answers a review of this resource (plural). Fails with NoSuchPath for another resource.
api::Answer<std::string> AnswerReview(std::string_view resource, std::string_view namespace_,
                                      const codec::Value& review, const User& user,
                                      const ReviewAuthorizers& judges);

}  // namespace plimsoll::apiserver
