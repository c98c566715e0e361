#pragma once

#include <functional>
#include <string_view>

#include "api/status/status.h"
#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_object.h"
#include "apiserver/authz/rule_resolver.h"
#include "base/result.h"

/// Nobody may give away, by a role or a binding, what they do not have; unless they are allowed to
/// `escalate` the role or to `bind` it.
namespace plimsoll::apiserver {

/// Who decides, for these checks.
struct EscalationJudges {
  const Authorizer& authorizer;
  const RuleResolver& rules;
  /// RbacAuthorizer::RulesOf.
  std::function<Result<PolicyRules>(const RoleRef&, std::string_view namespace_)> rules_of;
};

/// For a write of a role or cluster role; `what` is the request, `before` null for a creation.
/// Forbidden with upstream's words. The caller skips it for updates that only change what the
/// garbage collector does (owner references, finalizers).
api::Answer<void> CheckRoleEscalation(const EscalationJudges& judges, const User& user,
                                      const RequestInfo& what, const Role* before, const Role& now);
/// For a write of either binding. NotFound when the role is not there, Forbidden.
api::Answer<void> CheckBindingEscalation(const EscalationJudges& judges, const User& user,
                                         const RequestInfo& what, const RoleBinding& now);

}  // namespace plimsoll::apiserver
