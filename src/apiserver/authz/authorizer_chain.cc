#include "apiserver/authz/authorizer_chain.h"

#include <utility>

#include "apiserver/authz/node_authorizer.h"

namespace plimsoll::apiserver {

Decision AuthorizerChain::Authorize(const User& user, const RequestInfo& what) const {
  if (user.IsIn(kMastersGroup)) return {.is_allowed = true, .reason = {}};
  Decision by_node = node_.Authorize(user, what);
  if (by_node.is_allowed) return by_node;
  Decision by_rules = rbac_.Authorize(user, what);
  if (by_rules.is_allowed || by_node.reason.empty()) return by_rules;
  // A refused client reads what each had to say.
  if (!by_rules.reason.empty()) by_node.reason.append("\n").append(by_rules.reason);
  return by_node;
}

ResolvedRules AuthorizerChain::RulesFor(const User& user, std::string_view namespace_) const {
  ResolvedRules resolved = rules_.RulesFor(user, namespace_);
  if (NodeIdentity(user)) {
    resolved.is_incomplete = true;
    resolved.errors.insert(resolved.errors.begin(),
                           "node authorizer does not support user rule resolution");
  }
  return resolved;
}

}  // namespace plimsoll::apiserver
