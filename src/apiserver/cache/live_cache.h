#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apiserver/cache/cache.h"
#include "apiserver/cache/resource_cache.h"

namespace plimsoll::apiserver {

/// Implementation of Cache.
/// Tasks in the clock hold weak pointers, so it is shared.
class LiveCache final : public store::ChangeSink, public std::enable_shared_from_this<LiveCache> {
 public:
  LiveCache(store::Store& store, const ResourceTable& resources, Clock& clock, Logger& log,
            MetricsRegistry& metrics);

  Status Start();
  void Stop();

  ResourceCache& Of(const Resource& resource) const;
  Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                              std::string_view name);
  store::Revision revision() const { return store::Revision{revision_.load()}; }
  void WhenReached(store::Revision revision, Duration timeout,
                   std::move_only_function<void(bool)> done);

  /// Not needed: the cache has the previous objects.
  bool ReadsBefore() const override { return false; }
  void OnChanges(std::span<const store::Change> changes) override;
  void OnEnd(const Error& error) override;

 private:
  using Parts = std::vector<std::shared_ptr<ResourceCache>>;
  struct Waiter {
    store::Revision revision{};
    std::move_only_function<void(bool)> done;
  };
  struct Loaded {
    Parts parts;
    store::Revision revision{};
  };

  Parts EmptyParts();
  ResourceCache* OfKey(const Parts& parts, std::string_view key) const;
  Result<Loaded> ReadStore();
  Status StartWatch(store::Revision after);
  void Reload();
  void ReloadLater();
  void Apply(const store::Change& change);
  void AddHistory(const store::Change& change);
  ObjectPtr MakeObject(const ResourceCache& part, std::string_view key, const Bytes& value,
                       store::Revision revision, const PayloadPtr& payload = {}) const;
  void Advance(store::Revision revision);

  store::Store& store_;
  const ResourceTable& resources_;
  Clock& clock_;
  Logger& log_;
  MetricFamily<Counter> received_;
  MetricFamily<Counter> dispatched_;

  Parts parts_;                         // sorted by prefix; fixed after Start
  std::vector<ResourceCache*> of_row_;  // by row of the ResourceTable
  std::atomic<std::int64_t> revision_ = 0;

  // Used by the watch's thread only, after Start.
  store::Revision loaded_{};                               // end of the history
  std::map<std::string, ObjectPtr, std::less<>> history_;  // latest objects during the replay

  std::mutex waiters_lock_;
  std::vector<std::shared_ptr<Waiter>> waiters_;
  std::atomic<std::size_t> waiters_count_ = 0;

  std::mutex reload_lock_;
  bool is_stopped_ = false;
  std::unique_ptr<store::Watch> watch_;
};

}  // namespace plimsoll::apiserver
