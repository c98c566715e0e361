#include "apiserver/authz/escalation.h"

#include <algorithm>
#include <set>
#include <string>

#include "apiserver/authz/authorizer_chain.h"
#include "apiserver/authz/uncovered_rules.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

/// Returns a message with the rules that the user does not hold, or "" if it holds all.
std::string Missing(const EscalationAuthorizers& judges, const User& user,
                    std::string_view namespace_, const PolicyRules& rules) {
  const ResolvedRules held = judges.rules.RulesFor(user, namespace_);
  const UncoveredRules missing = FindUncovered(held.rules, rules);
  if (missing.rules.empty()) return {};
  std::set<std::string> lines;
  for (const PolicyRule& rule : Compact(missing.rules)) lines.insert(Describe(rule));
  std::string text = "user " + GoQuote(user.name) + " (groups=" + QuoteList(user.groups) +
                     ") is attempting to grant RBAC permissions not currently held:";
  for (const std::string& line : lines) text.append("\n").append(line);
  if (missing.more > 0) text += "\nand " + std::to_string(missing.more) + " more";
  if (!missing.is_exact) {
    text += "; the rules are too complex to be compared, write them as several roles";
  }
  if (!held.errors.empty()) text += "; resolution errors: [" + held.ErrorText() + "]";
  return text;
}

const PolicyRules& FullAuthority() {
  static const PolicyRules kAll = {{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}};
  return kAll;
}

std::unexpected<api::StatusObject> Refuse(const RequestInfo& what, std::string_view name,
                                          std::string_view why) {
  return std::unexpected(api::Forbidden({what.group, what.resource, name}, why));
}

}  // namespace

api::Answer<void> CheckRoleEscalation(const EscalationAuthorizers& judges, const User& user,
                                      const RequestInfo& what, const Role* before,
                                      const Role& now) {
  if (user.IsIn(kMastersGroup)) return {};
  RequestInfo escalate = what;
  escalate.verb = "escalate";
  escalate.subresource.clear();
  if (judges.authorizer.Authorize(user, escalate).is_allowed) return {};
  const std::string missing = Missing(judges, user, now.namespace_, now.rules);
  if (!missing.empty()) return Refuse(what, now.name, missing);
  // An aggregated role can select any rules, and restore rules that were removed.
  const bool aggregates = now.is_aggregated || (before != nullptr && before->is_aggregated);
  if (aggregates && !Missing(judges, user, now.namespace_, FullAuthority()).empty()) {
    return Refuse(what, now.name, "must have cluster-admin privileges to use the aggregationRule");
  }
  return {};
}

api::Answer<void> CheckBindingEscalation(const EscalationAuthorizers& judges, const User& user,
                                         const RequestInfo& what, const RoleBinding& now) {
  if (user.IsIn(kMastersGroup)) return {};
  RequestInfo bind;
  bind.is_resource_request = true;
  bind.verb = "bind";
  bind.group = now.role.group;
  bind.version = "v1";
  bind.namespace_ = now.namespace_;
  bind.resource = now.role.kind == "Role" ? "roles" : "clusterroles";
  bind.name = now.role.name;
  if (judges.authorizer.Authorize(user, bind).is_allowed) return {};
  const Result<PolicyRules> rules = judges.rules_of(now.role, now.namespace_);
  if (!rules) return std::unexpected(api::FromError(rules.error()));
  const std::string missing = Missing(judges, user, now.namespace_, *rules);
  if (!missing.empty()) return Refuse(what, now.name, missing);
  return {};
}

}  // namespace plimsoll::apiserver
