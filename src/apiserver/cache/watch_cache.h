#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/cache/cache_event.h"
#include "apiserver/cache/event_ring.h"
#include "apiserver/cache/object_order.h"
#include "apiserver/cache/watcher_index.h"
#include "apiserver/resource/resource.h"
#include "base/metrics.h"

namespace plimsoll::apiserver {

/// Revision that all resources of a cache reflect at least.
using SharedRevision = std::shared_ptr<std::atomic<std::int64_t>>;

class Watcher;

/// Objects and last events of one resource, and its watchers. Safe for use by many threads, but
/// only one thread at a time may apply changes.
///
/// Two locks: `delivery_mutex_` is held while an event is applied and delivered, and while a watch
/// begins or ends. `objects_lock_` is taken after it, only while objects are read or changed. So a
/// reader never waits until a thousand watchers got an event.
class WatchCache : public std::enable_shared_from_this<WatchCache> {
 public:
  WatchCache(const Resource& resource, SharedRevision reflected, Counter received,
             Counter dispatched)
      : resource_(resource),
        reflected_(std::move(reflected)),
        watchers_(IndexedField(resource)),
        received_(received),
        dispatched_(dispatched) {}

  const Resource& resource() const { return resource_; }

  ObjectPtr Get(std::string_view namespace_, std::string_view name) const;
  /// See Cache::List.
  Picture List(const Selection& selection, std::size_t limit) const;
  std::size_t CountAfter(std::string_view namespace_, std::string_view key) const;
  std::size_t Count() const;

  /// Records whether the stored object of this name can be decoded.
  void NoteReadable(std::string_view namespace_, std::string_view name, bool is_readable);
  /// See Cache::FindUnreadable.
  std::optional<ObjectId> FindUnreadable(std::string_view namespace_, std::string_view name) const;

  /// Adds an object at its current state. REQUIRES: there are no watchers.
  void Load(const ObjectPtr& object);
  /// Keeps events after `floor`.
  void BeginHistory(store::Revision floor);
  /// Adds an event that the objects already reflect. REQUIRES: there are no watchers.
  void AddHistory(std::shared_ptr<const CacheEvent> event, Instant now);

  /// Null `value`: deleted.
  void Apply(store::Revision revision, std::string_view namespace_, std::string_view name,
             const ObjectPtr& value, Instant now);
  /// Takes over the objects and history of `fresh`. Calls OnReset of all watchers and removes them.
  void ReplaceBy(WatchCache& fresh);

  /// See Cache.
  Result<std::unique_ptr<Watcher>> Subscribe(const Selection& selection, store::Revision after,
                                             CacheObserver& observer);
  std::unique_ptr<Watcher> SubscribeNow(const Selection& selection, CacheObserver& observer,
                                        Picture& picture);

 private:
  friend class Watcher;

  /// Objects behind one lock: swapped as a whole when the store is read again.
  struct Objects {
    ObjectOrder all;
    std::map<std::string, std::unique_ptr<ObjectOrder>, std::less<>> by_index;
    store::Revision revision{};  // of the last change to this resource
    std::set<ObjectId> unreadable;
  };

  /// Both return the previous object of that name, or null.
  ObjectPtr Put(const ObjectPtr& object);
  ObjectPtr Remove(std::string_view namespace_, std::string_view name);
  void Index(const ObjectPtr& object);
  void Unindex(const StoredObject& object);

  const Resource& resource_;
  const SharedRevision reflected_;  // by the whole cache

  mutable std::shared_mutex objects_lock_;
  Objects objects_;
  std::atomic<bool> has_unreadable_ = false;  // avoids the lock in the usual case

  std::recursive_mutex delivery_mutex_;  // recursive: an observer may end its own subscription
  EventRing ring_;
  WatcherIndex watchers_;
  Counter received_;
  Counter dispatched_;
};

/// A subscription to the events of one resource. The destructor blocks until no OnEvent call runs,
/// unless it is called within OnEvent.
class Watcher {
 public:
  /// REQUIRES: the caller holds the delivery lock of the cache.
  Watcher(std::shared_ptr<WatchCache> cache, const Selection& selection, store::Revision after,
          CacheObserver& observer);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Calls `visit` before it returns, between two events. The observer has received all events up
  /// to the revision and none after it.
  void BetweenEvents(const std::function<void(store::Revision)>& visit);

 private:
  friend class WatchCache;

  const std::shared_ptr<WatchCache> cache_;
  WatcherIndex::Entry entry_;
};

}  // namespace plimsoll::apiserver
