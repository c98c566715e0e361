#include "apiserver/fairness/flow_matcher.h"

#include <algorithm>

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kAccountPrefix = "system:serviceaccount:";

bool HasTextOrStar(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::any_of(texts,
                             [&](const std::string& own) { return own == "*" || own == text; });
}

bool IsAccount(const SubjectConfig& subject, std::string_view user) {
  if (!user.starts_with(kAccountPrefix)) return false;
  user.remove_prefix(kAccountPrefix.size());
  if (!user.starts_with(subject.namespace_)) return false;
  user.remove_prefix(subject.namespace_.size());
  if (!user.starts_with(':')) return false;
  user.remove_prefix(1);
  return subject.name == "*" || user == subject.name;
}

bool IsSubject(const SubjectConfig& subject, const User& user) {
  switch (subject.kind) {
    case SubjectConfig::Kind::User:
      return subject.name == "*" || subject.name == user.name;
    case SubjectConfig::Kind::Group:
      return subject.name == "*" ? !user.groups.empty() : user.IsIn(subject.name);
    case SubjectConfig::Kind::ServiceAccount:
      return IsAccount(subject, user.name);
  }
  return false;
}

/// Compares with `resource` or `resource/subresource`. Allocates nothing.
bool IsResource(std::string_view rule, const RequestInfo& what) {
  if (rule == "*") return true;
  if (what.subresource.empty()) return rule == what.resource;
  return rule.size() == what.resource.size() + 1 + what.subresource.size() &&
         rule.starts_with(what.resource) && rule[what.resource.size()] == '/' &&
         rule.ends_with(what.subresource);
}

bool MatchesResourceRule(const ResourceRule& rule, const RequestInfo& what) {
  if (!HasTextOrStar(rule.verbs, what.verb) || !HasTextOrStar(rule.groups, what.group)) {
    return false;
  }
  const bool has_resource = std::ranges::any_of(
      rule.resources, [&](const std::string& resource) { return IsResource(resource, what); });
  if (!has_resource) return false;
  return what.namespace_.empty() ? rule.has_cluster_scope
                                 : HasTextOrStar(rule.namespaces, what.namespace_);
}

bool MatchesUrl(std::string_view pattern, std::string_view path) {
  if (pattern == "*" || pattern == path) return true;
  if (!pattern.ends_with("/*")) return false;
  pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

bool MatchesNonResourceRule(const NonResourceRule& rule, const RequestInfo& what) {
  return HasTextOrStar(rule.verbs, what.verb) &&
         std::ranges::any_of(rule.urls,
                             [&](const std::string& url) { return MatchesUrl(url, what.path); });
}

bool MatchesRule(const FlowRule& rule, const User& user, const RequestInfo& what) {
  const bool is_meant = std::ranges::any_of(
      rule.subjects, [&](const SubjectConfig& subject) { return IsSubject(subject, user); });
  if (!is_meant) return false;
  if (what.is_resource_request) {
    return std::ranges::any_of(rule.resource_rules, [&](const ResourceRule& resource) {
      return MatchesResourceRule(resource, what);
    });
  }
  return std::ranges::any_of(rule.non_resource_rules, [&](const NonResourceRule& other) {
    return MatchesNonResourceRule(other, what);
  });
}

}  // namespace

bool MatchesFlow(const FlowConfig& flow, const User& user, const RequestInfo& what) {
  return std::ranges::any_of(flow.rules,
                             [&](const FlowRule& rule) { return MatchesRule(rule, user, what); });
}

std::string_view DistinguisherOf(const FlowConfig& flow, const User& user,
                                 const RequestInfo& what) {
  switch (flow.distinguisher) {
    case Distinguisher::ByUser:
      return user.name;
    case Distinguisher::ByNamespace:
      return what.namespace_;
    case Distinguisher::None:
      break;
  }
  return "";
}

std::uint64_t HashFlow(std::string_view schema, std::string_view distinguisher,
                       std::uint64_t seed) {
  // Mixing only at the end would keep names with equal hashes equal for any seed. So the seed is
  // mixed in with each part.
  const auto mix = [](std::uint64_t value) {
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15ULL;
    value ^= value >> 29;
    value *= 0xbf58476d1ce4e5b9ULL;
    return value ^ (value >> 32);
  };
  const auto add = [&](std::uint64_t hash, std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return mix(hash ^ text.size());
  };
  return add(add(mix(seed), schema), distinguisher);
}

}  // namespace plimsoll::apiserver
