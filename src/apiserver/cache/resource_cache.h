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

#include "apiserver/cache/cache.h"
#include "apiserver/cache/event_ring.h"
#include "apiserver/cache/object_order.h"
#include "apiserver/cache/watcher_groups.h"

namespace plimsoll::apiserver {

/// Cache of one resource. Safe for use by many threads, but only one thread at a time may apply
/// changes.
///
/// Two locks: `delivery_mutex_` is held while an event is applied and delivered, and while a watch
/// begins or ends. `objects_lock_` is taken after it, only while objects are read or changed. So a
/// reader never waits until a thousand watchers got an event.
class ResourceCache : public std::enable_shared_from_this<ResourceCache> {
 public:
  ResourceCache(const Resource& resource, Counter received, Counter dispatched)
      : resource_(resource),
        groups_(IndexedField(resource)),
        received_(received),
        dispatched_(dispatched) {}

  const Resource& resource() const { return resource_; }

  ObjectPtr Get(std::string_view namespace_, std::string_view name) const;
  /// `floor` is the revision of the whole cache, read before the call.
  Picture List(const Selection& selection, std::size_t limit, store::Revision floor) const;
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
  void ReplaceBy(ResourceCache& fresh);

  Result<std::unique_ptr<CacheSubscription>> Subscribe(const Selection& selection,
                                                       store::Revision after,
                                                       CacheObserver& observer,
                                                       std::function<store::Revision()> reflected);
  std::unique_ptr<CacheSubscription> SubscribeNow(const Selection& selection,
                                                  CacheObserver& observer, Picture& picture,
                                                  std::function<store::Revision()> reflected);

 private:
  class Subscription;

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

  mutable std::shared_mutex objects_lock_;
  Objects objects_;
  std::atomic<bool> has_unreadable_ = false;  // avoids the lock in the usual case

  std::recursive_mutex delivery_mutex_;  // recursive: an observer may end its own subscription
  EventRing ring_;
  WatcherGroups groups_;
  Counter received_;
  Counter dispatched_;
};

}  // namespace plimsoll::apiserver
