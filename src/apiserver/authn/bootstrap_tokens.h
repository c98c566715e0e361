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

/// What a bootstrap token's Secret says.
struct BootstrapSecret {
  std::string type;
  bool is_being_deleted = false;
  std::map<std::string, std::string, std::less<>> data;  // decoded
};

/// Finds a Secret of kube-system by its name; nothing when it is not there.
using BootstrapSecrets = std::function<std::optional<BootstrapSecret>(std::string_view name)>;

/// From the cache. Both must outlive the function.
BootstrapSecrets BootstrapSecretsIn(const Cache& cache, const ResourceTable& resources);

/// Bootstrap tokens: `<id>.<secret>`, as Secrets of type bootstrap.kubernetes.io/token in
/// kube-system hold them. Safe for use by many threads.
class BootstrapTokens final : public TokenAuthenticator {
 public:
  /// `audiences` are this server's. The clock must outlive it.
  BootstrapTokens(BootstrapSecrets secrets, const Clock& clock, std::vector<std::string> audiences)
      : secrets_(std::move(secrets)), clock_(clock), audiences_(std::move(audiences)) {}

  /// A token that does not hold is none of this kind, as upstream has it.
  Result<std::optional<TokenIdentity>> AuthenticateToken(
      std::string_view token, std::span<const std::string> audiences) const override;

 private:
  const BootstrapSecrets secrets_;
  const Clock& clock_;
  const std::vector<std::string> audiences_;
};

}  // namespace plimsoll::apiserver
