#pragma once

#include <map>
#include <string>

#include "apiserver/cache/cache_follower.h"
#include "apiserver/fairness/fairness.h"

namespace plimsoll::apiserver {

/// Configures Fairness by the FlowSchemas and PriorityLevelConfigurations in the cache, now and
/// whenever they change.
class FairnessFeed {
 public:
  /// All of them must outlive it.
  FairnessFeed(Cache& cache, const ResourceTable& resources, Fairness& fairness);

  /// Follows the cache again if that has started anew. Must not be called on the cache's thread.
  void Refresh() { follower_.Refresh(); }

 private:
  void Publish();

  Fairness& fairness_;
  std::map<std::string, LevelConfig, std::less<>> levels_;  // used by the follower alone
  std::map<std::string, FlowConfig, std::less<>> flows_;    // likewise
  CacheFollower follower_;
};

}  // namespace plimsoll::apiserver
