#pragma once

#include <string_view>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_policy.h"
#include "apiserver/authz/rule_resolver.h"
#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/cache/cache_follower.h"

namespace plimsoll::apiserver {

/// RBAC from the roles and bindings in the cache; follows their changes. A decision takes no lock.
/// Safe for use by many threads.
class RbacAuthorizer final : public Authorizer, public RuleResolver {
 public:
  /// Both references must outlive this object.
  RbacAuthorizer(Cache& cache, const ResourceTable& resources);

  Decision Authorize(const User& user, const RequestInfo& what) const override;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override;
  /// See RbacPolicy.
  Result<PolicyRules> RulesOf(const RoleRef& role, std::string_view namespace_) const;

 private:
  /// Returns the current policy. Subscribes to the cache again if the cache was reset.
  const RbacPolicy& Policy() const;
  FollowedResource Roles(const Resource& resource, bool is_cluster);
  FollowedResource Bindings(const Resource& resource, bool is_cluster);

  RbacPolicyBuilder builder_;  // only the follower uses it
  SnapshotCell<RbacPolicy> policy_;
  mutable CacheFollower follower_;
};

}  // namespace plimsoll::apiserver
