#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/cache/watch_cache.h"
#include "apiserver/resource/resource.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "store/store.h"

namespace plimsoll::apiserver {

/// All objects of all resources in memory: one WatchCache for each resource, fed by one watch of
/// the store. Keeps the last events, so that watches can resume. Reads never wait for the disk.
/// Safe for use by many threads.
class Cache final : private store::ChangeSink {
 public:
  /// Reads all objects and the recent history. The references must outlive the cache.
  static Result<std::unique_ptr<Cache>> Start(store::Store& store, const ResourceTable& resources,
                                              Clock& clock, Logger& log, MetricsRegistry& metrics);
  ~Cache() override;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// Returns null if there is none. `resource` is the stored version, here and below.
  ObjectPtr Get(const Resource& resource, std::string_view namespace_,
                std::string_view name) const {
    return Of(resource).Get(namespace_, name);
  }
  /// Reads the store itself, for a writer whose compare-and-swap has failed.
  Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                              std::string_view name);
  /// Returns an object that is stored but cannot be decrypted or decoded; GetLatest returns the
  /// reason. Empty `name`: any object. Empty `namespace_`: all namespaces.
  std::optional<ObjectId> FindUnreadable(const Resource& resource, std::string_view namespace_,
                                         std::string_view name) const {
    return Of(resource).FindUnreadable(namespace_, name);
  }
  /// Returns the first `limit` objects; 0: all. The cost depends on the objects visited only.
  Picture List(const Resource& resource, const Selection& selection, std::size_t limit = 0) const {
    return Of(resource).List(selection, limit);
  }
  /// Returns the number of objects after the key: `default/web`, or `n1` if cluster-scoped.
  std::size_t CountAfter(const Resource& resource, std::string_view namespace_,
                         std::string_view key) const {
    return Of(resource).CountAfter(namespace_, key);
  }
  std::size_t Count(const Resource& resource) const { return Of(resource).Count(); }

  /// Every resource of the cache reflects at least this revision.
  store::Revision revision() const { return store::Revision{revision_->load()}; }
  /// Calls `done` once: with true when the cache has reached the revision (before it returns if it
  /// already has), or with false after the timeout.
  void WhenReached(store::Revision revision, Duration timeout,
                   std::move_only_function<void(bool)> done);
  /// Blocks until the cache has reached the revision. Fails with Timeout.
  Status WaitFor(store::Revision revision, Duration timeout);

  /// Delivers every event of the resource after the revision that may match the selection. Past
  /// events are delivered before it returns. The selection is only a filter hint: the observer gets
  /// all events of objects that enter or leave it, and may get others. Expired: `too old resource
  /// version: X (Y)`.
  Result<std::unique_ptr<Watcher>> Subscribe(const Resource& resource, const Selection& selection,
                                             store::Revision after, CacheObserver& observer) {
    return Of(resource).Subscribe(selection, after, observer);
  }
  /// Sets `picture` to the selected objects now, and delivers every later event, as above.
  std::unique_ptr<Watcher> SubscribeNow(const Resource& resource, const Selection& selection,
                                        CacheObserver& observer, Picture& picture) {
    return Of(resource).SubscribeNow(selection, observer, picture);
  }

 private:
  using Parts = std::vector<std::shared_ptr<WatchCache>>;
  struct Waiter {
    store::Revision revision{};
    std::move_only_function<void(bool)> done;
  };
  struct Loaded {
    Parts parts;
    store::Revision revision{};
  };
  /// Lets the tasks of the clock find out that the cache is gone. The lock is held while they run.
  struct Lifeline {
    std::mutex mutex;
    Cache* cache = nullptr;  // null: gone
  };

  Cache(store::Store& store, const ResourceTable& resources, Clock& clock, Logger& log,
        MetricsRegistry& metrics);

  /// Not needed: the cache has the previous objects.
  bool ReadsBefore() const override { return false; }
  void OnChanges(std::span<const store::Change> changes) override;
  void OnEnd(const Error& error) override;

  WatchCache& Of(const Resource& resource) const;
  Parts EmptyParts();
  WatchCache* OfKey(const Parts& parts, std::string_view key) const;
  Status Run();
  Result<Loaded> ReadStore();
  Status StartWatch(store::Revision after);
  void Reload();
  void ReloadLater();
  void Apply(const store::Change& change);
  void AddHistory(const store::Change& change);
  ObjectPtr MakeObject(const WatchCache& part, std::string_view key, const Bytes& value,
                       store::Revision revision, const PayloadPtr& payload = {}) const;
  void Advance(store::Revision revision);
  /// Calls those who wait for this revision or an earlier one.
  void CallWaiters(store::Revision revision);
  /// Returns false if the waiter was called already.
  bool RemoveWaiter(const std::shared_ptr<Waiter>& waiter);

  store::Store& store_;
  const ResourceTable& resources_;
  Clock& clock_;
  Logger& log_;
  MetricFamily<Counter> received_;
  MetricFamily<Counter> dispatched_;

  Parts parts_;                      // sorted by prefix; fixed after Start
  std::vector<WatchCache*> of_row_;  // by row of the ResourceTable
  const SharedRevision revision_ = std::make_shared<std::atomic<std::int64_t>>(0);

  // Used by the watch's thread only, after Start.
  store::Revision loaded_{};                               // end of the history
  std::map<std::string, ObjectPtr, std::less<>> history_;  // latest objects during the replay

  std::mutex waiters_lock_;
  std::vector<std::shared_ptr<Waiter>> waiters_;
  std::atomic<std::size_t> waiters_count_ = 0;

  const std::shared_ptr<Lifeline> lifeline_ = std::make_shared<Lifeline>();
  std::unique_ptr<store::Watch> watch_;  // guarded by the lifeline's lock after Start
};

}  // namespace plimsoll::apiserver
