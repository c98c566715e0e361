#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/rbac_policy.h"
#include "apiserver/authz/rule_resolver.h"
#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Role-based access control from the roles and bindings in the cache, which it follows. A decision
/// takes no lock. Safe for use by many threads.
class RbacAuthorizer final : public Authorizer, public RuleResolver {
 public:
  /// Both must outlive it.
  RbacAuthorizer(Cache& cache, const ResourceTable& resources);
  ~RbacAuthorizer() override;

  Decision Authorize(const User& user, const RequestInfo& what) const override;
  ResolvedRules RulesFor(const User& user, std::string_view namespace_) const override;
  /// See RbacPolicy.
  Result<PolicyRules> RulesOf(const RoleRef& role, std::string_view namespace_) const;

 private:
  class Feed;

  /// The policy of now. Follows the cache again first if that has started anew.
  const RbacPolicy& Policy() const;
  void Follow();
  /// `mutex_` is held.
  void Publish() { policy_.Replace(builder_.Build()); }

  Cache& cache_;
  std::mutex mutex_;  // of builder_ and of what the feeds have put aside
  RbacPolicyBuilder builder_;
  SnapshotCell<RbacPolicy> policy_;
  std::atomic<bool> has_lost_cache_ = false;
  std::mutex follow_mutex_;  // one thread subscribes; never taken on the cache's thread
  std::array<std::unique_ptr<Feed>, 4> feeds_;
};

}  // namespace plimsoll::apiserver
