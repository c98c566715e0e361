#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/request/request_info.h"
#include "codec/document.h"
#include "codec/value_at.h"

namespace plimsoll::apiserver {

/// PolicyRule of `rbac.authorization.k8s.io/v1`. `*` matches everything.
struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> api_groups;
  std::vector<std::string> resources;  // pods, pods/log, */scale
  std::vector<std::string> resource_names;
  std::vector<std::string> non_resource_urls;  // /healthz, /metrics/*

  friend auto operator<=>(const PolicyRule&, const PolicyRule&) = default;
};

using PolicyRules = std::vector<PolicyRule>;

/// Reads the `rules` of a role. Ignores values of a wrong type: validation has already checked
/// stored objects.
PolicyRules ReadPolicyRules(const codec::Value* rules);
/// Returns the strings of a list; empty if `list` is null.
std::vector<std::string> ReadTexts(const codec::Value* list);

/// Returns the rule as JSON of a role, without empty lists except verbs.
codec::Value WritePolicyRule(const PolicyRule& rule, codec::Document& document);
codec::Value WriteTexts(std::span<const std::string> texts, codec::Document& document);

/// Returns true if the rule allows the request.
bool Allows(const PolicyRule& rule, const RequestInfo& what);

/// Merges simple rules that differ only in their verbs.
PolicyRules Compact(std::span<const PolicyRule> rules);

/// Returns `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`.
std::string Describe(const PolicyRule& rule);
/// Formats a list like Go's %q: `["a" "b"]`.
std::string QuoteList(std::span<const std::string> texts);

}  // namespace plimsoll::apiserver
