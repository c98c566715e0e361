#pragma once

#include <map>
#include <string>

#include "apiserver/cache/cache_follower.h"
#include "apiserver/fairness/fairness.h"

namespace plimsoll::apiserver {

/// Configures Fairness from the FlowSchemas and PriorityLevelConfigurations in the cache, now and
/// after each change.
class FairnessFeed {
 public:
  /// All references must outlive this object.
  FairnessFeed(Cache& cache, const ResourceTable& resources, Fairness& fairness);

  /// Follows the cache again if it was reset. Must not be called on the cache's thread.
  void Refresh() { follower_.Refresh(); }

 private:
  void Publish();

  Fairness& fairness_;
  std::map<std::string, LevelConfig, std::less<>> levels_;  // only the follower uses it
  std::map<std::string, FlowConfig, std::less<>> flows_;    // only the follower uses it
  CacheFollower follower_;
};

}  // namespace plimsoll::apiserver
