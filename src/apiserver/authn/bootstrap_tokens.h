#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authn/token_authenticator.h"
#include "apiserver/cache/cache.h"
#include "base/clock.h"

namespace plimsoll::apiserver {

/// Content of the Secret of a bootstrap token.
struct BootstrapSecret {
  std::string type;
  bool is_being_deleted = false;
  std::map<std::string, std::string, std::less<>> data;  // base64-decoded
};

/// Returns the Secret of this name in kube-system, or nullopt if there is none.
using BootstrapSecrets = std::function<std::optional<BootstrapSecret>(std::string_view name)>;

/// Returns a function that reads the cache. Both references must outlive it.
BootstrapSecrets BootstrapSecretsIn(const Cache& cache, const ResourceTable& resources);

/// Authenticates bootstrap tokens: `<id>.<secret>`, from Secrets of type
/// bootstrap.kubernetes.io/token in kube-system. Safe for use by many threads.
class BootstrapTokens final : public TokenAuthenticator {
 public:
  /// `audiences` are this server's. The clock must outlive this object.
  BootstrapTokens(BootstrapSecrets secrets, const Clock& clock, std::vector<std::string> audiences)
      : secrets_(std::move(secrets)), clock_(clock), audiences_(std::move(audiences)) {}

  /// Returns nullopt for an invalid token, so that other authenticators try it, like upstream.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  const BootstrapSecrets secrets_;
  const Clock& clock_;
  const std::vector<std::string> audiences_;
};

}  // namespace plimsoll::apiserver
