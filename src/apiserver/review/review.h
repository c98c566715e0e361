#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/authn/token_authenticator.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rule_resolver.h"
#include "codec/value.h"

/// The kinds that are questions: a client posts one and gets it back with its status, as JSON for a
/// 201. `review` is the decoded request, held against its type.
namespace plimsoll::apiserver {

/// `audiences` are this server's, for reviews that name none.
api::Answer<std::string> ReviewToken(const codec::Value& review, const TokenAuthenticator& tokens,
                                     std::span<const std::string> audiences);
/// `kubectl auth whoami`
api::Answer<std::string> ReviewSelf(const codec::Value& review, const User& user);

api::Answer<std::string> ReviewSubjectAccess(const codec::Value& review,
                                             const Authorizer& authorizer);
/// `namespace_` is that of the request's path.
api::Answer<std::string> ReviewLocalSubjectAccess(const codec::Value& review,
                                                  std::string_view namespace_,
                                                  const Authorizer& authorizer);
/// `kubectl auth can-i`
api::Answer<std::string> ReviewSelfSubjectAccess(const codec::Value& review, const User& user,
                                                 const Authorizer& authorizer);
/// `kubectl auth can-i --list`
api::Answer<std::string> ReviewSelfSubjectRules(const codec::Value& review, const User& user,
                                                const RuleResolver& rules);

/// Who answers, for AnswerReview.
struct ReviewJudges {
  const TokenAuthenticator& tokens;
  std::span<const std::string> audiences;
  const Authorizer& authorizer;
  const RuleResolver& rules;
};

/// Any of them, by the plural of its resource. NoSuchPath for another.
api::Answer<std::string> AnswerReview(std::string_view resource, std::string_view namespace_,
                                      const codec::Value& review, const User& user,
                                      const ReviewJudges& judges);

}  // namespace plimsoll::apiserver
