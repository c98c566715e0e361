#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/authz/authorization_options.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rule_resolver.h"

namespace plimsoll::apiserver {

/// Asks authorizers in order until one allows or denies. The group system:masters may do anything.
/// Safe for use by many threads.
class AuthorizerChain final : public Authorizer, public RuleResolver {
 public:
  /// All must outlive the chain. `unresolved` names authorizers whose rules cannot be listed.
  AuthorizerChain(std::vector<const Authorizer*> members, const RuleResolver& rules,
                  std::vector<std::string> unresolved = {})
      : members_(std::move(members)), rules_(rules), unresolved_(std::move(unresolved)) {}

  Decision Authorize(const User& user, const RequestInfo& what) const override;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override;

 private:
  const std::vector<const Authorizer*> members_;
  const RuleResolver& rules_;
  const std::vector<std::string> unresolved_;
};

inline constexpr std::string_view kMastersGroup = "system:masters";

/// Returns the chain of the authorizers that the modes name. All must outlive the chain. `webhook`
/// is null if no mode needs it.
AuthorizerChain ChainOf(const AuthorizationOptions& options, const Authorizer& node,
                        const Authorizer& rbac, const RuleResolver& rbac_rules,
                        const Authorizer* webhook);

}  // namespace plimsoll::apiserver
