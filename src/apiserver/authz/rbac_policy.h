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

/// Snapshot of all roles and bindings, indexed by user and group. Immutable and safe for use by
/// many threads. Shares unchanged parts with the previous snapshot.
class RbacPolicy {
 public:
  RbacPolicy();
  ~RbacPolicy();
  RbacPolicy(const RbacPolicy&);
  RbacPolicy& operator=(const RbacPolicy&) = delete;

  /// Checks bindings in the order of their names, those of the cluster first. The reason of an
  /// allowed request names the binding; otherwise it names the roles that do not exist.
  Decision Authorize(const User& user, const RequestInfo& what) const;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const;
  /// Returns the rules of the role in the namespace. Fails with NotFound and upstream's message.
  Result<PolicyRules> RulesOf(const RoleRef& role, std::string_view namespace_) const;

 private:
  friend class RbacPolicyBuilder;
  class Scope;  // the cluster or one namespace
  class Shard;  // a part of the namespaces
  static constexpr std::size_t kShards = 64;

  const Scope* FindNamespace(std::string_view namespace_) const;
  /// Returns null and sets `error` if the role does not exist.
  const PolicyRules* Resolve(const RoleRef& role, const Scope* scope, std::string* error) const;
  template <class Visit>
  bool VisitGrants(const Scope& scope, const User& user, const Visit& visit) const;

  std::shared_ptr<const Scope> cluster_;
  std::array<std::shared_ptr<const Shard>, kShards> namespaces_;
};

/// Tracks roles and bindings and builds policies from them. The cost of a change depends on the
/// roles and bindings of its namespace, not of the cluster. For one thread.
class RbacPolicyBuilder {
 public:
  RbacPolicyBuilder();
  ~RbacPolicyBuilder();

  void Put(Role role);
  void Put(RoleBinding binding);
  void RemoveRole(std::string_view namespace_, std::string_view name);
  void RemoveBinding(std::string_view namespace_, std::string_view name);
  /// Remove all objects of the kind: those of the cluster, or those of all namespaces.
  void ClearRoles(bool of_cluster);
  void ClearBindings(bool of_cluster);

  /// Returns a policy with all changes so far.
  std::shared_ptr<const RbacPolicy> Build();

 private:
  struct Objects {
    std::map<std::string, std::shared_ptr<const Role>, std::less<>> roles;
    std::map<std::string, std::shared_ptr<const RoleBinding>, std::less<>> bindings;
  };

  Objects& Touch(std::string_view namespace_);

  std::map<std::string, Objects, std::less<>> scopes_;  // by namespace; empty: the cluster
  std::set<std::string, std::less<>> touched_;
  std::shared_ptr<const RbacPolicy> last_;
};

}  // namespace plimsoll::apiserver
