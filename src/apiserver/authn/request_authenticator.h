#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/authenticator.h"
#include "apiserver/authn/token_authenticator.h"

namespace plimsoll::apiserver {

inline constexpr std::string_view kAuthenticatedGroup = "system:authenticated";
inline constexpr std::string_view kUnauthenticatedGroup = "system:unauthenticated";
inline constexpr std::string_view kAnonymousUser = "system:anonymous";

/// All the ways to say who one is: a call from within the process, a client certificate, a bearer
/// token. Whoever is known belongs to system:authenticated.
class RequestAuthenticator final : public Authenticator {
 public:
  /// `tokens` must outlive it. `audiences` are those of this server.
  RequestAuthenticator(const TokenAuthenticator& tokens, std::vector<std::string> audiences)
      : tokens_(tokens), audiences_(std::move(audiences)) {}

  api::Answer<std::optional<User>> Authenticate(const net::Request& request) override;

 private:
  const TokenAuthenticator& tokens_;
  std::vector<std::string> audiences_;
};

/// The token of `Authorization: Bearer …`, or empty.
std::string_view BearerToken(std::string_view authorization);

}  // namespace plimsoll::apiserver
