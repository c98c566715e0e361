#include "apiserver/authn/request_authenticator.h"

#include <algorithm>

#include "base/go_text.h"
#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) { return ToLower(a) == b; });
}

User Authenticated(User user) {
  if (user.name != kAnonymousUser && !user.IsIn(kAuthenticatedGroup) &&
      !user.IsIn(kUnauthenticatedGroup)) {
    user.groups.emplace_back(kAuthenticatedGroup);
  }
  return user;
}

std::optional<User> UserOf(const net::PeerCertificate& certificate) {
  if (certificate.common_name.empty()) return std::nullopt;
  User user;
  user.name = certificate.common_name;
  user.groups = certificate.organizations;
  if (!certificate.fingerprint.empty()) {
    user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" +
                                                                certificate.fingerprint};
  }
  return user;
}

bool MayBeAnonymous(const AnonymousConfig& anonymous, std::string_view target) {
  if (!anonymous.is_enabled || anonymous.paths.empty()) return anonymous.is_enabled;
  const Result<net::Target> parsed = net::ParseTarget(target);
  return parsed && std::ranges::find(anonymous.paths, parsed->path) != anonymous.paths.end();
}

}  // namespace

std::string_view BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer";
  const std::string_view text = GoTrimSpace(authorization);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || !EqualsIgnoringCase(text.substr(0, space), kScheme)) {
    return {};
  }
  const std::string_view rest = text.substr(space + 1);
  return rest.substr(0, rest.find(' '));
}

api::Answer<std::optional<User>> RequestAuthenticator::Authenticate(const net::Request& request) {
  if (request.local) {
    User user;
    user.name = request.local->user;
    user.groups = request.local->groups;
    return Authenticated(std::move(user));
  }
  if (request.certificate) {
    if (std::optional<User> user = UserOf(*request.certificate)) {
      return Authenticated(*std::move(user));
    }
  }
  const std::string_view token = BearerToken(request.headers.Find("Authorization"));
  if (!token.empty()) {
    Result<std::optional<TokenIdentity>> identity = tokens_.AuthenticateToken(token, audiences_);
    if (identity && identity->has_value()) return Authenticated(std::move((*identity)->user));
    return std::unexpected(api::Unauthorized());
  }
  // A valid token outweighs a bad certificate. Without a token, the request is rejected.
  if (request.is_certificate_bad) return std::unexpected(api::Unauthorized());
  if (!MayBeAnonymous(anonymous_, request.target)) return std::unexpected(api::Unauthorized());
  return std::optional<User>();
}

}  // namespace plimsoll::apiserver
