#pragma once

#include <map>
#include <string>
#include <string_view>

#include "apiserver/authn/token_authenticator.h"

namespace plimsoll::apiserver {

/// Fixed tokens, from lines of `token,user,uid,"group1,group2"`. Immutable.
class TokenFile final : public TokenAuthenticator {
 public:
  /// Invalid for a line that is no CSV or has less than three columns. Lines without a token are
  /// left out; of a token that stands twice the last counts. `name` is the file's, for messages.
  static Result<TokenFile> Parse(std::string_view name, std::string_view text);

  /// These tokens are good for every audience.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

  std::size_t size() const { return users_.size(); }

 private:
  // By the SHA-256 of the token: what the time of a look-up tells about a digest brings nobody
  // nearer to the token, and memory holds no secret.
  std::map<std::string, User, std::less<>> users_;
};

}  // namespace plimsoll::apiserver
