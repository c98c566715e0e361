#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "apiserver/cache/cache.h"
#include "apiserver/fairness/fairness.h"

namespace plimsoll::apiserver {

/// Configures Fairness by the FlowSchemas and PriorityLevelConfigurations in the cache, now and
/// whenever they change.
class FairnessFeed {
 public:
  /// All of them must outlive it.
  FairnessFeed(Cache& cache, const ResourceTable& resources, Fairness& fairness);
  ~FairnessFeed();
  FairnessFeed(const FairnessFeed&) = delete;
  FairnessFeed& operator=(const FairnessFeed&) = delete;

  /// Follows the cache again if that has started anew. Must not be called on the cache's thread.
  void Refresh();

 private:
  template <class Config>
  class Feed;

  /// REQUIRES: mutex_ is held.
  void Publish();

  Fairness& fairness_;
  std::mutex mutex_;  // guards the maps and what the feeds have put aside
  std::map<std::string, LevelConfig, std::less<>> levels_;
  std::map<std::string, FlowConfig, std::less<>> flows_;
  std::atomic<bool> has_lost_cache_ = false;
  std::mutex follow_mutex_;  // one thread subscribes; never taken on the cache's thread
  // Last, so that the subscriptions end first.
  std::unique_ptr<Feed<LevelConfig>> level_feed_;
  std::unique_ptr<Feed<FlowConfig>> flow_feed_;
};

}  // namespace plimsoll::apiserver
