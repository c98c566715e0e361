#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request/request_info.h"
#include "codec/document.h"

namespace plimsoll::apiserver {

/// What may be done, as `rbac.authorization.k8s.io/v1` says it. `*` stands for all.
struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> api_groups;
  std::vector<std::string> resources;  // pods, pods/log, */scale
  std::vector<std::string> resource_names;
  std::vector<std::string> non_resource_urls;  // /healthz, /metrics/*

  friend auto operator<=>(const PolicyRule&, const PolicyRule&) = default;
};

using PolicyRules = std::vector<PolicyRule>;

/// Reads the `rules` of a role. What is not of its type is taken for absent: what the server stores
/// has been checked.
PolicyRules ReadPolicyRules(const codec::Value* rules);
/// The texts of a list, absent or not.
std::vector<std::string> ReadTexts(const codec::Value* list);
/// The text of a member, or empty.
std::string_view ReadText(const codec::Value& object, std::string_view key);

/// As it stands in a role, without the lists that are empty.
codec::Value WritePolicyRule(const PolicyRule& rule, codec::Document& document);
codec::Value WriteTexts(std::span<const std::string> texts, codec::Document& document);

/// Whether the rule permits what is asked for.
bool Allows(const PolicyRule& rule, const RequestInfo& what);

/// Rules that differ in their verbs alone become one.
PolicyRules Compact(std::span<const PolicyRule> rules);

/// `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
std::string Describe(const PolicyRule& rule);
/// Go's %q of a list: `["a" "b"]`
std::string QuoteList(std::span<const std::string> texts);

}  // namespace plimsoll::apiserver
