#pragma once

#include <functional>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_object.h"
#include "apiserver/authz/rule_resolver.h"
#include "base/result.h"

/// Privilege escalation checks: a user must not grant permissions that it does not hold, unless it
/// may `escalate` the role or `bind` it.
namespace plimsoll::apiserver {

/// Authorizers that the checks ask.
struct EscalationAuthorizers {
  const Authorizer& authorizer;
  const RuleResolver& rules;
  /// RbacAuthorizer::RulesOf.
  std::function<Result<PolicyRules>(const RoleRef&, std::string_view namespace_)> rules_of;
};

/// Checks a write of a Role or ClusterRole. `what` is the request; `before` is null for a create.
/// Fails with Forbidden and upstream's message. Do not call it for updates that only change what
/// the garbage collector changes (owner references, finalizers).
api::Answer<void> CheckRoleEscalation(const EscalationAuthorizers& judges, const User& user,
                                      const RequestInfo& what, const Role* before, const Role& now);
/// Checks a write of either binding. Fails with NotFound if the role does not exist, or Forbidden.
api::Answer<void> CheckBindingEscalation(const EscalationAuthorizers& judges, const User& user,
                                         const RequestInfo& what, const RoleBinding& now);

}  // namespace plimsoll::apiserver
