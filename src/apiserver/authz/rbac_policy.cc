#include "apiserver/authz/rbac_policy.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/go_text.h"

// A decision looks up the bindings of the user and of its groups, in the cluster and in the
// namespace. It checks the rules of their roles until one allows the request. Bindings refer to
// their role by name, so that a change of a ClusterRole affects no namespace. This costs one more
// lookup.

namespace plimsoll::apiserver {
namespace {

struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name.
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <class T>
using ByText = boost::unordered_flat_map<std::string, T, TextHash, std::equal_to<>>;

/// A binding, and the index of the subject that matches the user.
struct Hit {
  std::uint32_t binding = 0;
  std::uint32_t subject = 0;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};
using Hits = boost::container::small_vector<Hit, 32>;

bool IsSelected(const Role& aggregate, const Role& candidate) {
  std::vector<api::StringMap::Entry> labels(candidate.labels.begin(), candidate.labels.end());
  const api::StringMap map(std::move(labels));
  return std::ranges::any_of(aggregate.aggregated,
                             [&](const api::Selector& selector) { return selector.Matches(map); });
}

using ClusterRoles = std::map<std::string, std::shared_ptr<const Role>, std::less<>>;

/// Rules of the roles that an aggregated role selects, recursively. Each role and each rule is
/// added once, so that roles that select each other cause no endless recursion.
struct Gathered {
  std::set<std::string_view> roles;
  std::set<PolicyRule> known;
  PolicyRules rules;
};
void Gather(const ClusterRoles& all, const Role& role, Gathered& gathered) {
  gathered.roles.insert(role.name);
  if (!role.is_aggregated) {
    for (const PolicyRule& rule : role.rules) {
      if (gathered.known.insert(rule).second) gathered.rules.push_back(rule);
    }
    return;
  }
  for (const auto& [name, other] : all) {
    if (!gathered.roles.contains(name) && IsSelected(role, *other)) Gather(all, *other, gathered);
  }
}

PolicyRules EffectiveRules(const ClusterRoles& all, const Role& role) {
  if (!role.is_aggregated) return role.rules;
  Gathered gathered;
  Gather(all, role, gathered);
  return std::move(gathered.rules);
}

std::string DescribeSubject(const Subject& subject, std::string_view binding_namespace) {
  if (subject.kind != "ServiceAccount") return subject.kind + " " + GoQuote(subject.name);
  const std::string_view namespace_ =
      subject.namespace_.empty() ? binding_namespace : std::string_view(subject.namespace_);
  return subject.kind + " " + GoQuote((subject.name + "/").append(namespace_));
}

std::string DescribeGrant(const RoleBinding& binding, const Subject& subject) {
  const bool is_cluster = binding.namespace_.empty();
  // Upstream writes the name before the namespace here.
  const std::string name = is_cluster ? binding.name : binding.name + "/" + binding.namespace_;
  return std::string(is_cluster ? "ClusterRoleBinding " : "RoleBinding ")
      .append(GoQuote(name))
      .append(" of ")
      .append(binding.role.kind)
      .append(" ")
      .append(GoQuote(binding.role.name))
      .append(" to ")
      .append(DescribeSubject(subject, binding.namespace_));
}

}  // namespace

class RbacPolicy::Scope {
 public:
  void AddRole(const std::string& name, PolicyRules rules) {
    roles_.emplace(name, std::move(rules));
  }

  /// Call it in the order of the bindings' names.
  void AddBinding(std::shared_ptr<const RoleBinding> binding) {
    const auto index = static_cast<std::uint32_t>(bindings_.size());
    std::uint32_t number = 0;
    for (const Subject& subject : binding->subjects) {
      const Hit hit{index, number++};
      if (subject.kind == "User") {
        by_user_[subject.name].push_back(hit);
      } else if (subject.kind == "Group") {
        by_group_[subject.name].push_back(hit);
      } else if (subject.kind == "ServiceAccount") {
        const std::string& namespace_ =
            subject.namespace_.empty() ? binding->namespace_ : subject.namespace_;
        if (namespace_.empty()) continue;
        by_user_[ServiceAccountUser(namespace_, subject.name)].push_back(hit);
      }
    }
    bindings_.push_back(std::move(binding));
  }

  const PolicyRules* FindRole(std::string_view name) const {
    const auto found = roles_.find(name);
    return found != roles_.end() ? &found->second : nullptr;
  }

  const RoleBinding& binding(std::uint32_t index) const { return *bindings_[index]; }

  /// Appends each binding of the user with its first matching subject, in the order of names.
  void Find(const User& user, Hits& hits) const {
    const auto add = [&](const ByText<std::vector<Hit>>& index, const std::string& name) {
      const auto found = index.find(name);
      if (found != index.end()) hits.insert(hits.end(), found->second.begin(), found->second.end());
    };
    add(by_user_, user.name);
    for (const std::string& group : user.groups) add(by_group_, group);
    std::ranges::sort(hits);
    const auto rest = std::ranges::unique(hits, {}, &Hit::binding);
    hits.erase(rest.begin(), rest.end());
  }

 private:
  ByText<PolicyRules> roles_;
  std::vector<std::shared_ptr<const RoleBinding>> bindings_;
  ByText<std::vector<Hit>> by_user_;
  ByText<std::vector<Hit>> by_group_;
};

class RbacPolicy::Shard {
 public:
  static std::size_t Of(std::string_view namespace_) { return TextHash{}(namespace_) % kShards; }

  ByText<std::shared_ptr<const Scope>> scopes;
};

RbacPolicy::RbacPolicy() : cluster_(std::make_shared<const Scope>()) {
  namespaces_.fill(std::make_shared<const Shard>());
}
RbacPolicy::~RbacPolicy() = default;
RbacPolicy::RbacPolicy(const RbacPolicy&) = default;

const RbacPolicy::Scope* RbacPolicy::FindNamespace(std::string_view namespace_) const {
  if (namespace_.empty()) return nullptr;
  const Shard& shard = *namespaces_[Shard::Of(namespace_)];
  const auto found = shard.scopes.find(namespace_);
  return found != shard.scopes.end() ? found->second.get() : nullptr;
}

const PolicyRules* RbacPolicy::Resolve(const RoleRef& role, const Scope* scope,
                                       std::string* error) const {
  const PolicyRules* rules = nullptr;
  if (role.kind == "ClusterRole") {
    rules = cluster_->FindRole(role.name);
    if (rules == nullptr) *error = "clusterrole.rbac.authorization.k8s.io ";
  } else if (role.kind == "Role") {
    rules = scope != nullptr ? scope->FindRole(role.name) : nullptr;
    if (rules == nullptr) *error = "role.rbac.authorization.k8s.io ";
  } else {
    *error = "unsupported role reference kind: " + GoQuote(role.kind);
    return nullptr;
  }
  if (rules == nullptr) error->append(GoQuote(role.name)).append(" not found");
  return rules;
}

/// Calls `visit` with each binding of the user, the subject, and the rules or the error. Stops and
/// returns false when `visit` returns false.
template <class Visit>
bool RbacPolicy::VisitGrants(const Scope& scope, const User& user, const Visit& visit) const {
  Hits hits;
  scope.Find(user, hits);
  for (const Hit& hit : hits) {
    const RoleBinding& binding = scope.binding(hit.binding);
    std::string error;
    const PolicyRules* const rules = Resolve(binding.role, &scope, &error);
    if (!visit(binding, binding.subjects[hit.subject], rules, error)) return false;
  }
  return true;
}

Decision RbacPolicy::Authorize(const User& user, const RequestInfo& what) const {
  Decision decision;
  std::vector<std::string> errors;
  const auto visit = [&](const RoleBinding& binding, const Subject& subject,
                         const PolicyRules* rules, std::string& error) {
    if (rules == nullptr) {
      errors.push_back(std::move(error));
      return true;
    }
    const bool is_allowed =
        std::ranges::any_of(*rules, [&](const PolicyRule& rule) { return Allows(rule, what); });
    if (!is_allowed) return true;
    decision.is_allowed = true;
    decision.reason = "RBAC: allowed by " + DescribeGrant(binding, subject);
    return false;
  };
  if (!VisitGrants(*cluster_, user, visit)) return decision;
  const Scope* const scope = FindNamespace(what.namespace_);
  if (scope != nullptr && !VisitGrants(*scope, user, visit)) return decision;
  if (!errors.empty()) decision.reason = "RBAC: " + AggregateText(errors);
  return decision;
}

ResolvedRules RbacPolicy::RulesFor(const User& user, std::string_view namespace_) const {
  ResolvedRules resolved;
  const auto visit = [&](const RoleBinding&, const Subject&, const PolicyRules* rules,
                         std::string& error) {
    if (rules == nullptr) {
      resolved.errors.push_back(std::move(error));
    } else {
      resolved.rules.insert(resolved.rules.end(), rules->begin(), rules->end());
    }
    return true;
  };
  VisitGrants(*cluster_, user, visit);
  if (const Scope* const scope = FindNamespace(namespace_)) VisitGrants(*scope, user, visit);
  return resolved;
}

Result<PolicyRules> RbacPolicy::RulesOf(const RoleRef& role, std::string_view namespace_) const {
  std::string error;
  const PolicyRules* const rules = Resolve(role, FindNamespace(namespace_), &error);
  if (rules == nullptr) return Fail(Reason::NotFound, std::move(error));
  return *rules;
}

RbacPolicyBuilder::RbacPolicyBuilder() : last_(std::make_shared<const RbacPolicy>()) {}
RbacPolicyBuilder::~RbacPolicyBuilder() = default;

RbacPolicyBuilder::Objects& RbacPolicyBuilder::Touch(std::string_view namespace_) {
  touched_.emplace(namespace_);
  const auto found = scopes_.find(namespace_);
  return found != scopes_.end() ? found->second : scopes_[std::string(namespace_)];
}

void RbacPolicyBuilder::Put(Role role) {
  Objects& objects = Touch(role.namespace_);
  std::string name = role.name;
  objects.roles.insert_or_assign(std::move(name), std::make_shared<const Role>(std::move(role)));
}

void RbacPolicyBuilder::Put(RoleBinding binding) {
  Objects& objects = Touch(binding.namespace_);
  std::string name = binding.name;
  objects.bindings.insert_or_assign(std::move(name),
                                    std::make_shared<const RoleBinding>(std::move(binding)));
}

void RbacPolicyBuilder::RemoveRole(std::string_view namespace_, std::string_view name) {
  Objects& objects = Touch(namespace_);
  if (const auto found = objects.roles.find(name); found != objects.roles.end()) {
    objects.roles.erase(found);
  }
}

void RbacPolicyBuilder::RemoveBinding(std::string_view namespace_, std::string_view name) {
  Objects& objects = Touch(namespace_);
  if (const auto found = objects.bindings.find(name); found != objects.bindings.end()) {
    objects.bindings.erase(found);
  }
}

void RbacPolicyBuilder::ClearRoles(bool of_cluster) {
  for (auto& [namespace_, objects] : scopes_) {
    if (namespace_.empty() == of_cluster) Touch(namespace_).roles.clear();
  }
}

void RbacPolicyBuilder::ClearBindings(bool of_cluster) {
  for (auto& [namespace_, objects] : scopes_) {
    if (namespace_.empty() == of_cluster) Touch(namespace_).bindings.clear();
  }
}

std::shared_ptr<const RbacPolicy> RbacPolicyBuilder::Build() {
  auto policy = std::make_shared<RbacPolicy>(*last_);
  std::map<std::size_t, std::shared_ptr<RbacPolicy::Shard>> shards;  // shards that changed
  for (const std::string& namespace_ : touched_) {
    const Objects& objects = scopes_[namespace_];
    auto scope = std::make_shared<RbacPolicy::Scope>();
    for (const auto& [name, role] : objects.roles) {
      scope->AddRole(name, namespace_.empty() ? EffectiveRules(objects.roles, *role) : role->rules);
    }
    for (const auto& [name, binding] : objects.bindings) scope->AddBinding(binding);
    if (namespace_.empty()) {
      policy->cluster_ = std::move(scope);
      continue;
    }
    const std::size_t number = RbacPolicy::Shard::Of(namespace_);
    std::shared_ptr<RbacPolicy::Shard>& shard = shards[number];
    if (shard == nullptr) {
      shard = std::make_shared<RbacPolicy::Shard>(*policy->namespaces_[number]);
    }
    if (objects.roles.empty() && objects.bindings.empty()) {
      shard->scopes.erase(namespace_);
      scopes_.erase(namespace_);
    } else {
      shard->scopes.insert_or_assign(namespace_, std::move(scope));
    }
  }
  for (auto& [number, shard] : shards) policy->namespaces_[number] = std::move(shard);
  touched_.clear();
  last_ = std::move(policy);
  return last_;
}

}  // namespace plimsoll::apiserver
