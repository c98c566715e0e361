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
