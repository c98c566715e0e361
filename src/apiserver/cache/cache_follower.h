#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// The objects of one resource, and what their follower does with them.
struct FollowedResource {
  const Resource* resource;
  /// Forgets all objects: those that are there follow as new ones.
  std::function<void()> clear;
  /// An object was created, changed or deleted.
  std::function<void(const CacheEvent& event)> apply;
};

/// Derives something from the objects of a few resources in the cache, and keeps it up to date,
/// also when the cache loses its store and starts again. Its functions are called one at a time,
/// partly on the cache's thread, so they must not wait.
class CacheFollower {
 public:
  /// Reads all objects before it returns. `publish` is called after each round of changes. The
  /// cache must outlive it, and so must whatever the functions use.
  CacheFollower(Cache& cache, std::vector<FollowedResource> resources,
                std::function<void()> publish);
  ~CacheFollower();
  CacheFollower(const CacheFollower&) = delete;
  CacheFollower& operator=(const CacheFollower&) = delete;

  /// Reads all objects again if the cache has started again, otherwise costs next to nothing. Must
  /// not be called on the cache's thread.
  void Refresh() {
    if (has_lost_cache_.load(std::memory_order_acquire)) [[unlikely]]
      FollowAgain();
  }

 private:
  class Feed;

  void FollowAgain();

  Cache& cache_;
  const std::function<void()> publish_;
  std::mutex mutex_;  // one function at a time; guards the feeds' states
  std::atomic<bool> has_lost_cache_ = true;
  std::mutex follow_mutex_;  // one thread subscribes; never taken on the cache's thread
  std::vector<std::unique_ptr<Feed>> feeds_;
};

}  // namespace plimsoll::apiserver
