#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_object.h"
#include "apiserver/authz/rule_resolver.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// All roles and bindings at one moment, by who they concern. Immutable and safe for use by many
/// threads. Parts that a change does not touch are shared with the policy before it.
class RbacPolicy {
 public:
  RbacPolicy();
  ~RbacPolicy();
  RbacPolicy(const RbacPolicy&);
  RbacPolicy& operator=(const RbacPolicy&) = delete;

  /// Bindings are asked in the order of their names, those of the cluster first. The reason of an
  /// allowed request names the binding; of another, the roles that could not be found.
  Decision Authorize(const User& user, const RequestInfo& what) const;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const;
  /// What binding to that role in the namespace would give. NotFound with upstream's words.
  Result<PolicyRules> RulesOf(const RoleRef& role, std::string_view namespace_) const;

 private:
  friend class RbacPolicyBuilder;
  class Scope;  // the cluster, or one namespace
  class Shard;  // some of the namespaces
  static constexpr std::size_t kShards = 64;

  const Scope* FindNamespace(std::string_view namespace_) const;
  /// Null with the reason when there is no such role.
  const PolicyRules* Resolve(const RoleRef& role, const Scope* scope, std::string* error) const;
  template <class Visit>
  bool VisitGrants(const Scope& scope, const User& user, const Visit& visit) const;

  std::shared_ptr<const Scope> cluster_;
  std::array<std::shared_ptr<const Shard>, kShards> namespaces_;
};

/// Keeps roles and bindings as they come and go, and makes policies of them. A change costs as much
/// as its namespace has roles and bindings, not as the cluster has. For one thread.
class RbacPolicyBuilder {
 public:
  RbacPolicyBuilder();
  ~RbacPolicyBuilder();

  void Put(Role role);
  void Put(RoleBinding binding);
  void RemoveRole(std::string_view namespace_, std::string_view name);
  void RemoveBinding(std::string_view namespace_, std::string_view name);
  /// Forgets everything of the kind in all namespaces, or of the cluster.
  void ClearRoles(bool of_cluster);
  void ClearBindings(bool of_cluster);

  /// With all changes until now.
  std::shared_ptr<const RbacPolicy> Build();

 private:
  struct Objects {
    std::map<std::string, std::shared_ptr<const Role>, std::less<>> roles;
    std::map<std::string, std::shared_ptr<const RoleBinding>, std::less<>> bindings;
  };

  Objects& Touch(std::string_view namespace_);

  std::map<std::string, Objects, std::less<>> scopes_;  // the empty name: the cluster
  std::set<std::string, std::less<>> touched_;
  std::shared_ptr<const RbacPolicy> last_;
};

}  // namespace plimsoll::apiserver
