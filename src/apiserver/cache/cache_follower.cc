#include "apiserver/cache/cache_follower.h"

#include <utility>

namespace plimsoll::apiserver {

/// Follows one resource.
class CacheFollower::Feed final : public CacheObserver {
 public:
  Feed(CacheFollower& owner, FollowedResource followed)
      : owner_(owner), followed_(std::move(followed)) {}

  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override {
    const std::lock_guard lock(owner_.mutex_);
    if (!is_ready_) return;  // ReadAll will list what the event has changed
    followed_.apply(*event);
    owner_.publish_();
  }

  void OnReset() override {
    {
      const std::lock_guard lock(owner_.mutex_);
      is_ready_ = false;
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
    watcher_.reset();
    Picture picture;
    watcher_ = owner_.cache_.SubscribeNow(*followed_.resource, {}, *this, picture);
    watcher_->BetweenEvents([this](store::Revision) { ReadAll(); });
  }

 private:
  /// Between two events: the list has exactly the objects of the earlier events.
  void ReadAll() {
    const Picture picture = owner_.cache_.List(*followed_.resource, {});
    const std::lock_guard lock(owner_.mutex_);
    followed_.clear();
    for (const ObjectPtr& object : picture.objects) {
      CacheEvent created;
      created.now = object;
      followed_.apply(created);
    }
    is_ready_ = true;
  }

  CacheFollower& owner_;
  const FollowedResource followed_;
  // Guarded by the owner's lock.
  bool is_ready_ = false;             // the objects are read, so that events change them
  bool is_lost_ = true;               // not subscribed
  std::unique_ptr<Watcher> watcher_;  // last, so that it is destroyed first
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
