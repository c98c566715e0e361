#pragma once

#include <map>
#include <string>
#include <string_view>

#include "apiserver/authn/token_authenticator.h"

namespace plimsoll::apiserver {

/// Static tokens, from lines of `token,user,uid,"group1,group2"`. Immutable.
class TokenFile final : public TokenAuthenticator {
 public:
  /// Fails with Invalid if a line is not CSV or has less than three columns. Skips lines without a
  /// token. The last line of a duplicate token wins. `name` is the file name, for messages.
  static Result<TokenFile> Parse(std::string_view name, std::string_view text);

  /// Static tokens are valid for every audience.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

  std::size_t size() const { return users_.size(); }

 private:
  // By the SHA-256 of the token: the duration of a lookup reveals nothing about the token, and the
  // memory holds no secret.
  std::map<std::string, User, std::less<>> users_;
};

}  // namespace plimsoll::apiserver
