#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request/user.h"
#include "base/result.h"

namespace plimsoll::apiserver {

struct TokenIdentity {
  User user;
  std::vector<std::string> audiences;  // those requested audiences for which the token is valid
};

/// Authenticates bearer tokens. Safe for use by many threads.
class TokenAuthenticator {
 public:
  virtual ~TokenAuthenticator() = default;
  /// Returns nullopt for a token of another kind. Fails with Unauthorized if the token is invalid.
  virtual Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const = 0;
};

/// Asks several authenticators in order until one accepts the token.
class TokenUnion final : public TokenAuthenticator {
 public:
  /// The members must outlive this object.
  explicit TokenUnion(std::vector<const TokenAuthenticator*> members)
      : members_(std::move(members)) {}

  /// Fails with Unauthorized: the members' errors, or `invalid bearer token` if there are none.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  std::vector<const TokenAuthenticator*> members_;
};

/// Returns the requested audiences that are the server's own. Tokens without an audience are valid
/// for these.
std::vector<std::string> CommonAudiences(std::span<const std::string> own,
                                         std::span<const std::string> asked);

}  // namespace plimsoll::apiserver
