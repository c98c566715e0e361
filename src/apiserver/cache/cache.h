#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "apiserver/cache/stored_object.h"
#include "apiserver/resource/resource.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "net/http.h"
#include "store/store.h"

namespace plimsoll::apiserver {

using ObjectPtr = std::shared_ptr<const StoredObject>;

/// Where an object of a resource is.
struct ObjectId {
  std::string namespace_;  // empty for cluster-wide kinds
  std::string name;

  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

/// Which objects of a resource are meant.
struct Selection {
  std::string namespace_;  // empty: all
  api::Selector labels;
  api::FieldSelector fields;

  bool Matches(const StoredObject& object) const;
  /// The one value that the field must have, if the selection says so.
  std::optional<std::string_view> Pinned(std::string_view field) const;
};

/// Objects at one moment, in the order of their keys.
struct Picture {
  std::vector<ObjectPtr> objects;
  store::Revision revision{};
  bool has_more = false;      // than the limit of objects
  std::size_t remaining = 0;  // so many; not counted for a selection by labels or fields
};

/// What is made of an event for those who watch, once, however many they are. It is there while
/// the event is handed out and gone after that. Only to be used in OnEvent: calls for one resource
/// never overlap.
struct EventForms {
  ObjectPtr departed;                                    // see CacheEvent::Departed
  std::vector<std::pair<std::string, net::Piece>> list;  // by whatever tells the forms apart
};

/// Something that happened to an object.
struct CacheEvent {
  store::Revision revision{};
  ObjectPtr before;  // null: created
  ObjectPtr now;     // null: deleted
  mutable EventForms forms;

  /// `before` with the revision of the event: how an object is sent to those for whom it is gone.
  const ObjectPtr& Departed() const;
};

/// Called in the order of revisions, on the cache's thread; must not wait.
class CacheObserver {
 public:
  virtual ~CacheObserver() = default;
  virtual void OnEvent(const std::shared_ptr<const CacheEvent>& event) = 0;
  /// The cache lost its store and starts again; whoever watches must list again.
  virtual void OnReset() = 0;
};

/// Its end, by destruction, waits until no call is being made, save when it ends within one.
class CacheSubscription {
 public:
  virtual ~CacheSubscription() = default;
  /// Calls back before it returns, between two events, with a revision such that the observer was
  /// told everything up to it and nothing behind it.
  virtual void BetweenEvents(const std::function<void(store::Revision)>& visit) = 0;
};

/// All objects of all resources in memory, fed by one watch of the store, with the last events for
/// watches to resume from. Reads never wait for the disk. Safe for use by many threads.
class Cache {
 public:
  /// Reads everything, and the kept history. The references must outlive the cache.
  static Result<std::unique_ptr<Cache>> Start(store::Store& store, const ResourceTable& resources,
                                              Clock& clock, Logger& log, MetricsRegistry& metrics);
  virtual ~Cache() = default;

  /// Null when there is none. `resource` in its stored version, here and below.
  virtual ObjectPtr Get(const Resource& resource, std::string_view namespace_,
                        std::string_view name) const = 0;
  /// From the store itself: for a writer whose compare-and-swap has just failed.
  virtual Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                                      std::string_view name) = 0;
  /// The name of an object that is stored but cannot be read, because it cannot be decrypted or is
  /// no object; GetLatest says why. With a name only that one is looked for; without a namespace,
  /// in all of them.
  virtual std::optional<ObjectId> FindUnreadable(const Resource& /*resource*/,
                                                 std::string_view /*namespace_*/,
                                                 std::string_view /*name*/) const {
    return std::nullopt;
  }
  /// At most `limit` objects, the first ones; 0: all. Costs what is looked at, not what there is.
  virtual Picture List(const Resource& resource, const Selection& selection,
                       std::size_t limit) const = 0;
  Picture List(const Resource& resource, const Selection& selection) const {
    return List(resource, selection, 0);
  }
  /// How many objects stand behind the key, which is `default/web`, or `n1` for cluster-wide kinds.
  virtual std::size_t CountBehind(const Resource& resource, std::string_view namespace_,
                                  std::string_view key) const = 0;
  virtual std::size_t Count(const Resource& resource) const = 0;

  /// What all of the cache reflects at least.
  virtual store::Revision revision() const = 0;
  /// Calls back once, with true when the cache reflects the revision (within this call if it does
  /// already), with false when the time is up.
  virtual void WhenReached(store::Revision revision, Duration timeout,
                           std::move_only_function<void(bool)> done) = 0;
  /// Waits until it reflects the revision. Timeout.
  Status WaitFor(store::Revision revision, Duration timeout);

  /// Every event of the resource after the revision that may concern the selection, the kept ones
  /// before this returns. The selection saves calls and does not replace a check: of the events of
  /// an object that enters or leaves it, none is missing, and others may come too. Expired: `too
  /// old resource version: X (Y)`.
  virtual Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                               const Selection& selection,
                                                               store::Revision after,
                                                               CacheObserver& observer) = 0;
  Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                       store::Revision after,
                                                       CacheObserver& observer) {
    return Subscribe(resource, {}, after, observer);
  }
  /// The selected objects now, and every event after that, as above.
  virtual std::unique_ptr<CacheSubscription> SubscribeNow(const Resource& resource,
                                                          const Selection& selection,
                                                          CacheObserver& observer,
                                                          Picture& picture) = 0;
  std::unique_ptr<CacheSubscription> SubscribeNow(const Resource& resource, CacheObserver& observer,
                                                  Picture& picture) {
    return SubscribeNow(resource, {}, observer, picture);
  }
};

}  // namespace plimsoll::apiserver
