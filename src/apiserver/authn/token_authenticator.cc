#include "apiserver/authn/token_authenticator.h"

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

}  // namespace plimsoll::apiserver
