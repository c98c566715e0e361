#include "apiserver/cache/cache_follower.h"

#include <utility>

namespace plimsoll::apiserver {

/// Follows one resource. Holds back events that arrive while the first objects are read, because
/// they are newer.
class CacheFollower::Feed final : public CacheObserver {
 public:
  Feed(CacheFollower& owner, FollowedResource followed)
      : owner_(owner), followed_(std::move(followed)) {}

  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override {
    const std::lock_guard lock(owner_.mutex_);
    if (!is_ready_) return early_.push_back(event);
    followed_.apply(*event);
    owner_.publish_();
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

  /// Subscribes unless already subscribed. The cache holds locks while it calls OnEvent, so this
  /// must not call the cache with the owner's lock held.
  void Follow() {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!std::exchange(is_lost_, false)) return;
    }
    subscription_.reset();
    Picture picture;
    subscription_ = owner_.cache_.SubscribeNow(*followed_.resource, *this, picture);
    const std::lock_guard lock(owner_.mutex_);
    followed_.clear();
    for (const ObjectPtr& object : picture.objects) {
      CacheEvent created;
      created.now = object;
      followed_.apply(created);
    }
    for (const auto& event : std::exchange(early_, {})) followed_.apply(*event);
    is_ready_ = true;
  }

 private:
  CacheFollower& owner_;
  const FollowedResource followed_;
  bool is_ready_ = false;
  bool is_lost_ = true;
  std::vector<std::shared_ptr<const CacheEvent>> early_;
  std::unique_ptr<CacheSubscription> subscription_;  // last, so that it is destroyed first
};

CacheFollower::CacheFollower(Cache& cache, std::vector<FollowedResource> resources,
                             std::function<void()> publish)
    : cache_(cache), publish_(std::move(publish)) {
  for (FollowedResource& one : resources) {
    feeds_.push_back(std::make_unique<Feed>(*this, std::move(one)));
  }
  FollowAgain();
}

CacheFollower::~CacheFollower() = default;

void CacheFollower::FollowAgain() {
  const std::lock_guard following(follow_mutex_);
  has_lost_cache_.store(false, std::memory_order_release);
  for (const std::unique_ptr<Feed>& feed : feeds_) feed->Follow();
  const std::lock_guard lock(mutex_);
  publish_();
}

}  // namespace plimsoll::apiserver
