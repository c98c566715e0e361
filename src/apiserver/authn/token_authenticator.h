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
  std::vector<std::string> audiences;  // those of the asked-for ones that the token is good for
};

/// Says whose a bearer token is. Safe for use by many threads.
class TokenAuthenticator {
 public:
  virtual ~TokenAuthenticator() = default;
  /// Nothing: no token of this kind. Unauthorized: one of this kind that does not hold, and why.
  virtual Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const = 0;
};

/// Asks several, in their order, until one knows the token.
class TokenUnion final : public TokenAuthenticator {
 public:
  /// They must outlive it.
  explicit TokenUnion(std::vector<const TokenAuthenticator*> members)
      : members_(std::move(members)) {}

  /// Unauthorized with `invalid bearer token` when nobody knows it, or with what they said.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  std::vector<const TokenAuthenticator*> members_;
};

/// Returns those of the asked-for audiences that are the server's own. Tokens that know of no
/// audience are good for these.
std::vector<std::string> CommonAudiences(std::span<const std::string> own,
                                         std::span<const std::string> asked);

}  // namespace plimsoll::apiserver
