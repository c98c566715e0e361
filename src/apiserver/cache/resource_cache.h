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

/// The part of the cache that holds one resource. Safe for use by many threads, of which one at a
/// time applies changes.
///
/// Two locks: `hand_out_` is held while an event is applied and handed out, and by whoever begins
/// or ends to watch; `objects_lock_`, taken after it, only while the objects are looked at or
/// changed. So a reader never waits for a thousand watchers to be written to.
class ResourceCache : public std::enable_shared_from_this<ResourceCache> {
 public:
  ResourceCache(const Resource& resource, Counter received, Counter dispatched)
      : resource_(resource),
        groups_(IndexedField(resource)),
        received_(received),
        dispatched_(dispatched) {}

  const Resource& resource() const { return resource_; }

  ObjectPtr Get(std::string_view namespace_, std::string_view name) const;
  /// `floor` is what the whole cache reflects, read before the call.
  Picture List(const Selection& selection, std::size_t limit, store::Revision floor) const;
  std::size_t CountBehind(std::string_view namespace_, std::string_view key) const;
  std::size_t Count() const;

  /// Notes whether the store holds something under the name that cannot be read.
  void NoteReadable(std::string_view namespace_, std::string_view name, bool is_readable);
  /// See Cache::FindUnreadable.
  std::optional<ObjectId> FindUnreadable(std::string_view namespace_, std::string_view name) const;

  /// Before anybody watches: an object as it is now.
  void Load(const ObjectPtr& object);
  /// Events are kept from here on.
  void BeginHistory(store::Revision floor);
  /// Before anybody watches: an event that the objects reflect already.
  void AddHistory(std::shared_ptr<const CacheEvent> event, Instant now);

  /// `value` null: deleted.
  void Apply(store::Revision revision, std::string_view namespace_, std::string_view name,
             const ObjectPtr& value, Instant now);
  /// Takes the objects of the other and its history; whoever watched is told and forgotten.
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

  /// Objects with their lock: swapped as a whole when the store is read anew.
  struct Objects {
    ObjectOrder all;
    std::map<std::string, std::unique_ptr<ObjectOrder>, std::less<>> by_index;
    store::Revision revision{};  // of the last change to this resource
    std::set<ObjectId> unreadable;
  };

  /// Both return what was there under its name; null: nothing.
  ObjectPtr Put(const ObjectPtr& object);
  ObjectPtr Remove(std::string_view namespace_, std::string_view name);
  void Index(const ObjectPtr& object);
  void Unindex(const StoredObject& object);

  const Resource& resource_;

  mutable std::shared_mutex objects_lock_;
  Objects objects_;
  std::atomic<bool> has_unreadable_ = false;  // spares the lock in the usual case

  std::recursive_mutex hand_out_;  // recursive: an observer may end its own subscription
  EventRing ring_;
  WatcherGroups groups_;
  Counter received_;
  Counter dispatched_;
};

}  // namespace plimsoll::apiserver
