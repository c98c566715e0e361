#include "apiserver/authn/token_authenticator.h"

#include <algorithm>

#include "apiserver/authz/rule_resolver.h"

namespace plimsoll::apiserver {

Result<std::optional<TokenIdentity>> TokenUnion::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  std::vector<std::string> errors;
  for (const TokenAuthenticator* const member : members_) {
    Result<std::optional<TokenIdentity>> found = member->AuthenticateToken(token, audiences);
    if (!found) {
      errors.push_back(std::move(found.error().message));
    } else if (found->has_value()) {
      return found;
    }
  }
  if (errors.empty()) return Fail(Reason::Unauthorized, "invalid bearer token");
  return Fail(Reason::Unauthorized, AggregateText(errors));
}

std::vector<std::string> CommonAudiences(std::span<const std::string> own,
                                         std::span<const std::string> asked) {
  std::vector<std::string> common;
  for (const std::string& audience : asked) {
    if (std::ranges::find(own, audience) != own.end()) common.push_back(audience);
  }
  return common;
}

}  // namespace plimsoll::apiserver
