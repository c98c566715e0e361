#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/authentication_config.h"
#include "apiserver/authn/authenticator.h"
#include "apiserver/authn/token_authenticator.h"

namespace plimsoll::apiserver {

inline constexpr std::string_view kAuthenticatedGroup = "system:authenticated";
inline constexpr std::string_view kUnauthenticatedGroup = "system:unauthenticated";
inline constexpr std::string_view kAnonymousUser = "system:anonymous";

/// Authenticates by in-process identity, client certificate or bearer token. Adds
/// system:authenticated to the groups.
class RequestAuthenticator final : public Authenticator {
 public:
  /// `tokens` must outlive this object. `audiences` are this server's. `anonymous` tells on which
  /// paths requests without credentials are accepted; elsewhere they are Unauthorized.
  RequestAuthenticator(const TokenAuthenticator& tokens, std::vector<std::string> audiences,
                       AnonymousConfig anonymous = {})
      : tokens_(tokens), audiences_(std::move(audiences)), anonymous_(std::move(anonymous)) {}

  api::Answer<std::optional<User>> Authenticate(const net::Request& request) override;

 private:
  const TokenAuthenticator& tokens_;
  std::vector<std::string> audiences_;
  const AnonymousConfig anonymous_;
};

/// Returns the token of `Authorization: Bearer …`, or "".
std::string_view BearerToken(std::string_view authorization);

}  // namespace plimsoll::apiserver
