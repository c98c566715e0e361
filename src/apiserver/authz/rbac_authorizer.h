#pragma once

#include <string_view>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_policy.h"
#include "apiserver/authz/rule_resolver.h"
#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/cache/cache_follower.h"

namespace plimsoll::apiserver {

/// Role-based access control from the roles and bindings in the cache, which it follows. A decision
/// takes no lock. Safe for use by many threads.
class RbacAuthorizer final : public Authorizer, public RuleResolver {
 public:
  /// Both must outlive it.
  RbacAuthorizer(Cache& cache, const ResourceTable& resources);

  Decision Authorize(const User& user, const RequestInfo& what) const override;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override;
  /// See RbacPolicy.
  Result<PolicyRules> RulesOf(const RoleRef& role, std::string_view namespace_) const;

 private:
  /// The policy of now. Follows the cache again first if that has started anew.
  const RbacPolicy& Policy() const;
  FollowedResource Roles(const Resource& resource, bool is_cluster);
  FollowedResource Bindings(const Resource& resource, bool is_cluster);

  RbacPolicyBuilder builder_;  // used by the follower alone
  SnapshotCell<RbacPolicy> policy_;
  mutable CacheFollower follower_;
};

}  // namespace plimsoll::apiserver
