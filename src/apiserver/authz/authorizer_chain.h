#pragma once

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rule_resolver.h"

namespace plimsoll::apiserver {

/// All that decides, in upstream's order: the group system:masters may do anything, then the node's
/// authorizer is asked, then RBAC. Safe for use by many threads.
class AuthorizerChain final : public Authorizer, public RuleResolver {
 public:
  /// All must outlive it.
  AuthorizerChain(const Authorizer& node, const Authorizer& rbac, const RuleResolver& rules)
      : node_(node), rbac_(rbac), rules_(rules) {}

  Decision Authorize(const User& user, const RequestInfo& what) const override;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override;

 private:
  const Authorizer& node_;
  const Authorizer& rbac_;
  const RuleResolver& rules_;
};

inline constexpr std::string_view kMastersGroup = "system:masters";

}  // namespace plimsoll::apiserver
