#include "apiserver/fairness/fairness_feed.h"

#include <utility>
#include <vector>

#include "base/assert.h"

namespace plimsoll::apiserver {

/// Carries the changes of one resource into its map. Events that come while the objects of the
/// start are still being read wait, because they are newer.
template <class Config>
class FairnessFeed::Feed final : public CacheObserver {
 public:
  using Map = std::map<std::string, Config, std::less<>>;

  Feed(FairnessFeed& owner, Cache& cache, const Resource& resource, Map& map,
       Config (*read)(const codec::Value&))
      : owner_(owner), cache_(cache), resource_(resource), map_(map), read_(read) {}

  void OnEvent(const std::shared_ptr<const CacheEvent>& event) override {
    const std::lock_guard lock(owner_.mutex_);
    if (!is_ready_) return early_.push_back(event);
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

  /// Subscribes, unless it still is. The cache holds locks while it calls OnEvent, so the owner's
  /// lock is not held while the cache is called.
  void Follow() {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!std::exchange(is_lost_, false)) return;
    }
    subscription_.reset();
    Picture picture;
    subscription_ = cache_.SubscribeNow(resource_, *this, picture);
    const std::lock_guard lock(owner_.mutex_);
    map_.clear();
    for (const ObjectPtr& object : picture.objects) Put(*object);
    for (const auto& event : std::exchange(early_, {})) Apply(*event);
    is_ready_ = true;
  }

 private:
  void Apply(const CacheEvent& event) {
    if (event.now != nullptr) return Put(*event.now);
    const auto found = map_.find(event.before->name());
    if (found != map_.end()) map_.erase(found);
  }

  void Put(const StoredObject& object) {
    const std::shared_ptr<const api::Object> decoded = object.Decode();
    if (decoded == nullptr) return;
    Config config = read_(decoded->tree());
    std::string name = config.name;
    map_.insert_or_assign(std::move(name), std::move(config));
  }

  FairnessFeed& owner_;
  Cache& cache_;
  const Resource& resource_;
  Map& map_;
  Config (*const read_)(const codec::Value&);
  bool is_ready_ = false;
  bool is_lost_ = true;
  std::vector<std::shared_ptr<const CacheEvent>> early_;
  std::unique_ptr<CacheSubscription> subscription_;  // last, so that it ends first
};

FairnessFeed::FairnessFeed(Cache& cache, const ResourceTable& resources, Fairness& fairness)
    : fairness_(fairness) {
  const Resource* levels = resources.Find(kFlowControlGroup, "v1", "prioritylevelconfigurations");
  const Resource* flows = resources.Find(kFlowControlGroup, "v1", "flowschemas");
  PL_ASSERT(levels != nullptr && flows != nullptr);
  level_feed_ =
      std::make_unique<Feed<LevelConfig>>(*this, cache, *levels, levels_, ReadLevelConfig);
  flow_feed_ = std::make_unique<Feed<FlowConfig>>(*this, cache, *flows, flows_, ReadFlowConfig);
  has_lost_cache_ = true;
  Refresh();
}

FairnessFeed::~FairnessFeed() = default;

void FairnessFeed::Refresh() {
  if (!has_lost_cache_.load(std::memory_order_acquire)) return;
  const std::lock_guard following(follow_mutex_);
  has_lost_cache_.store(false, std::memory_order_release);
  level_feed_->Follow();
  flow_feed_->Follow();
  const std::lock_guard lock(mutex_);
  Publish();
}

void FairnessFeed::Publish() {
  std::vector<LevelConfig> levels;
  std::vector<FlowConfig> flows;
  for (const auto& [name, level] : levels_) levels.push_back(level);
  for (const auto& [name, flow] : flows_) flows.push_back(flow);
  fairness_.Configure(std::move(levels), std::move(flows));
}

}  // namespace plimsoll::apiserver
