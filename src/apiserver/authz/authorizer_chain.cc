#include "apiserver/authz/authorizer_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "apiserver/authn/wait_ban.h"
#include "apiserver/authz/node_authorizer.h"

namespace plimsoll::apiserver {
namespace {

/// Allows or rejects everything: the modes AlwaysAllow and AlwaysDeny.
class ConstantAuthorizer final : public Authorizer, public RuleResolver {
 public:
  explicit ConstantAuthorizer(bool is_allowing) : is_allowing_(is_allowing) {}

  Decision Authorize(const User&, const RequestInfo&) const override {
    return {.is_allowed = is_allowing_, .reason = is_allowing_ ? "" : "Everything is forbidden."};
  }
  ResolvedRules RulesFor(const User&, std::string_view) const override {
    ResolvedRules resolved;
    if (!is_allowing_) return resolved;
    resolved.rules.push_back({.verbs = {"*"},
                              .api_groups = {"*"},
                              .resources = {"*"},
                              .resource_names = {},
                              .non_resource_urls = {}});
    resolved.rules.push_back({.verbs = {"*"},
                              .api_groups = {},
                              .resources = {},
                              .resource_names = {},
                              .non_resource_urls = {"*"}});
    return resolved;
  }

 private:
  const bool is_allowing_;
};

const ConstantAuthorizer kAllow(true);
const ConstantAuthorizer kDeny(false);

constexpr std::array<std::string_view, 5> kModes = {"AlwaysAllow", "AlwaysDeny", "Node", "RBAC",
                                                    "Webhook"};

bool Has(const AuthorizationOptions& options, std::string_view mode) {
  return std::ranges::find(options.modes, mode) != options.modes.end();
}

}  // namespace

Decision AuthorizerChain::Authorize(const User& user, const RequestInfo& what) const {
  if (user.IsIn(kMastersGroup)) return {.is_allowed = true, .reason = {}};
  std::string reasons;  // the client gets the reasons of all authorizers
  for (const Authorizer* const member : members_) {
    Decision decision = member->Authorize(user, what);
    // A member that must wait could still deny, so later members must not answer first.
    if (WaitBan::IsHit()) return {};
    if (decision.is_allowed || decision.is_denied) return decision;
    if (decision.reason.empty()) continue;
    if (!reasons.empty()) reasons += "\n";
    reasons += decision.reason;
  }
  return {.is_allowed = false, .reason = std::move(reasons)};
}

ResolvedRules AuthorizerChain::RulesFor(const User& user, std::string_view namespace_) const {
  ResolvedRules resolved = rules_.RulesFor(user, namespace_);
  if (NodeIdentity(user)) {
    resolved.is_incomplete = true;
    resolved.errors.insert(resolved.errors.begin(),
                           "node authorizer does not support user rule resolution");
  }
  for (const std::string& name : unresolved_) {
    resolved.is_incomplete = true;
    resolved.errors.push_back(name + " authorizer does not support user rule resolution");
  }
  return resolved;
}

AuthorizerChain ChainOf(const AuthorizationOptions& options, const Authorizer& node,
                        const Authorizer& rbac, const RuleResolver& rbac_rules,
                        const Authorizer* webhook) {
  std::vector<const Authorizer*> members;
  std::vector<std::string> unresolved;
  for (const std::string& mode : options.modes) {
    if (mode == "Node") members.push_back(&node);
    if (mode == "RBAC") members.push_back(&rbac);
    if (mode == "AlwaysAllow") members.push_back(&kAllow);
    if (mode == "AlwaysDeny") members.push_back(&kDeny);
    if (mode == "Webhook" && webhook != nullptr) {
      members.push_back(webhook);
      unresolved.emplace_back("webhook");
    }
  }
  const RuleResolver& without_rbac = Has(options, "AlwaysAllow") ? kAllow : kDeny;
  return AuthorizerChain(std::move(members), Has(options, "RBAC") ? rbac_rules : without_rbac,
                         std::move(unresolved));
}

Status CheckAuthorizationOptions(const AuthorizationOptions& options) {
  if (options.modes.empty()) {
    return Fail(Reason::Invalid, "at least one authorization-mode must be passed");
  }
  std::vector<std::string> seen;
  for (const std::string& mode : options.modes) {
    if (std::ranges::find(kModes, mode) == kModes.end()) {
      return Fail(Reason::Invalid,
                  fmt::format("authorization-mode {} is not supported: use one of Node, RBAC, "
                              "Webhook, AlwaysAllow, AlwaysDeny",
                              mode));
    }
    if (std::ranges::find(seen, mode) != seen.end()) {
      return Fail(Reason::Invalid, "authorization-mode has mode specified more than once: " + mode);
    }
    seen.push_back(mode);
  }
  if (Has(options, "Webhook") && !options.webhook) {
    return Fail(Reason::Invalid,
                "authorization-mode Webhook's authorization config file not passed: use "
                "--authorization-webhook-config-file");
  }
  if (!Has(options, "Webhook") && options.webhook) {
    return Fail(Reason::Invalid,
                "cannot specify --authorization-webhook-config-file without mode Webhook");
  }
  return {};
}

}  // namespace plimsoll::apiserver
