#include "apiserver/authz/rbac_authorizer.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plimsoll::apiserver {

/// Carries the changes of one resource into the builder. Events may come while the objects of the
/// start are still being put in; they wait, as they are the newer ones.
class RbacAuthorizer::Feed final : public CacheObserver {
 public:
  Feed(RbacAuthorizer& owner, const Resource& resource, bool is_binding, bool is_cluster)
      : owner_(owner), resource_(resource), is_binding_(is_binding), is_cluster_(is_cluster) {}

  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override {
    const std::lock_guard lock(owner_.mutex_);
    if (!is_ready_) {
      early_.push_back(event);
      return;
    }
    Apply(*event);
    owner_.Publish();
  }

  void OnReset() override {
    {
      const std::lock_guard lock(owner_.mutex_);
      is_ready_ = false;
      early_.clear();
      is_lost_ = true;
    }
    owner_.has_lost_cache_.store(true, std::memory_order_release);
  }

  /// Subscribes, unless it still is. The cache has locks of its own that it holds while it calls
  /// OnEvent, so ours is not held while the cache is called.
  void Follow() {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!std::exchange(is_lost_, false)) return;
    }
    subscription_.reset();
    Picture picture;
    subscription_ = owner_.cache_.SubscribeNow(resource_, *this, picture);
    const std::lock_guard lock(owner_.mutex_);
    if (is_binding_) {
      owner_.builder_.ClearBindings(is_cluster_);
    } else {
      owner_.builder_.ClearRoles(is_cluster_);
    }
    for (const ObjectPtr& object : picture.objects) Put(*object);
    for (const auto& event : std::exchange(early_, {})) Apply(*event);
    is_ready_ = true;
  }

 private:
  void Apply(const CacheEvent& event) {
    if (event.now != nullptr) {
      Put(*event.now);
    } else if (is_binding_) {
      owner_.builder_.RemoveBinding(event.before->namespace_(), event.before->name());
    } else {
      owner_.builder_.RemoveRole(event.before->namespace_(), event.before->name());
    }
  }

  void Put(const StoredObject& object) {
    const std::shared_ptr<const api::Object> decoded = object.Decode();
    if (is_binding_) {
      owner_.builder_.Put(ReadRoleBinding(decoded->tree()));
    } else {
      owner_.builder_.Put(ReadRole(decoded->tree()));
    }
  }

  RbacAuthorizer& owner_;
  const Resource& resource_;
  const bool is_binding_;
  const bool is_cluster_;
  bool is_ready_ = false;
  bool is_lost_ = true;
  std::vector<std::shared_ptr<const CacheEvent>> early_;
  std::unique_ptr<CacheSubscription> subscription_;  // the last, so that it ends first
};

RbacAuthorizer::RbacAuthorizer(Cache& cache, const ResourceTable& resources)
    : cache_(cache), policy_(std::make_shared<const RbacPolicy>()) {
  const auto feed = [&](std::string_view plural, bool is_binding, bool is_cluster) {
    const Resource* const resource = resources.Find(kRbacGroup, "v1", plural);
    PL_ASSERT(resource != nullptr);
    return std::make_unique<Feed>(*this, *resource, is_binding, is_cluster);
  };
  feeds_ = {feed("clusterroles", false, true), feed("clusterrolebindings", true, true),
            feed("roles", false, false), feed("rolebindings", true, false)};
  Follow();
}

RbacAuthorizer::~RbacAuthorizer() = default;

void RbacAuthorizer::Follow() {
  const std::lock_guard following(follow_mutex_);
  has_lost_cache_.store(false, std::memory_order_release);
  for (const std::unique_ptr<Feed>& feed : feeds_) feed->Follow();
  const std::lock_guard lock(mutex_);
  Publish();
}

const RbacPolicy& RbacAuthorizer::Policy() const {
  if (has_lost_cache_.load(std::memory_order_acquire)) [[unlikely]] {
    // Logically const: who asks sees the roles as they are, as ever.
    const_cast<RbacAuthorizer*>(this)->Follow();
  }
  return policy_.Read();
}

Decision RbacAuthorizer::Authorize(const User& user, const RequestInfo& what) const {
  return Policy().Authorize(user, what);
}

ResolvedRules RbacAuthorizer::RulesFor(const User& user, std::string_view namespace_) const {
  return Policy().RulesFor(user, namespace_);
}

Result<PolicyRules> RbacAuthorizer::RulesOf(const RoleRef& role,
                                            std::string_view namespace_) const {
  return Policy().RulesOf(role, namespace_);
}

}  // namespace plimsoll::apiserver
