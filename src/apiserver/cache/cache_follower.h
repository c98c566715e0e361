#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// A resource, and the functions that process its objects.
struct FollowedResource {
  const Resource* resource;
  /// Removes all objects. The existing objects then follow as created.
  std::function<void()> clear;
  /// An object was created, updated or deleted.
  std::function<void(const CacheEvent& event)> apply;
};

/// Keeps state derived from the objects of some resources up to date, also when the cache loses its
/// store and reads it again. Calls the functions one at a time, partly on the cache's thread, so
/// they must not block.
class CacheFollower {
 public:
  /// Processes all objects before it returns. Calls `publish` after each batch of changes. The
  /// cache and everything that the functions use must outlive this object.
  CacheFollower(Cache& cache, std::vector<FollowedResource> resources,
                std::function<void()> publish);
  ~CacheFollower();
  CacheFollower(const CacheFollower&) = delete;
  CacheFollower& operator=(const CacheFollower&) = delete;

  /// Reads all objects again if the cache was reset; otherwise costs almost nothing. Must not be
  /// called on the cache's thread.
  void Refresh() {
    if (has_lost_cache_.load(std::memory_order_acquire)) [[unlikely]]
      FollowAgain();
  }

 private:
  class Feed;

  void FollowAgain();

  Cache& cache_;
  const std::function<void()> publish_;
  std::mutex mutex_;  // serializes the functions; guards the feeds' states
  std::atomic<bool> has_lost_cache_ = true;
  std::mutex follow_mutex_;  // serializes subscribing; never locked on the cache's thread
  std::vector<std::unique_ptr<Feed>> feeds_;
};

}  // namespace plimsoll::apiserver
