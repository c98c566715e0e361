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

/// Namespace and name of an object.
struct ObjectId {
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string name;

  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

/// Selects objects of a resource.
struct Selection {
  std::string namespace_;  // empty: all namespaces
  api::Selector labels;
  api::FieldSelector fields;

  bool Matches(const StoredObject& object) const;
  /// Returns the value that the selection requires of the field, if there is exactly one.
  std::optional<std::string_view> Pinned(std::string_view field) const;
};

/// Objects at one revision, in the order of their keys.
struct Picture {
  std::vector<ObjectPtr> objects;
  store::Revision revision{};
  bool has_more = false;      // true: the limit omitted objects
  std::size_t remaining = 0;  // number omitted; 0 with a label or field selector
};

/// Encoded forms of an event, each made once for all watches.
/// They live only while the event is delivered. Use them only in OnEvent: calls for one resource
/// never overlap.
struct EventForms {
  ObjectPtr departed;                                    // see CacheEvent::DeletedObject
  std::vector<std::pair<std::string, net::Piece>> list;  // by a text that identifies the form
};

/// A change of an object.
struct CacheEvent {
  store::Revision revision{};
  ObjectPtr before;  // null: created
  ObjectPtr now;     // null: deleted
  mutable EventForms forms;

  /// Returns `before` with the revision of the event, as DELETED watch events contain it.
  const ObjectPtr& DeletedObject() const;
};

/// Receives events in the order of revisions, on the cache's thread. Must not block.
class CacheObserver {
 public:
  virtual ~CacheObserver() = default;
  virtual void OnEvent(const std::shared_ptr<const CacheEvent>& event) = 0;
  /// The cache has lost its store and reads it again. The observer must list again.
  virtual void OnReset() = 0;
};

/// The destructor blocks until no OnEvent call runs, unless it is called within OnEvent.
class CacheSubscription {
 public:
  virtual ~CacheSubscription() = default;
  /// Calls `visit` before it returns, between two events. The observer has received all events up
  /// to the revision and none after it.
  virtual void BetweenEvents(const std::function<void(store::Revision)>& visit) = 0;
};

/// All objects of all resources in memory, fed by one watch of the store. Keeps the last events, so
/// that watches can resume. Reads never wait for the disk. Safe for use by many threads.
class Cache {
 public:
  /// Reads all objects and the recent history. The references must outlive the cache.
  static Result<std::unique_ptr<Cache>> Start(store::Store& store, const ResourceTable& resources,
                                              Clock& clock, Logger& log, MetricsRegistry& metrics);
  virtual ~Cache() = default;

  /// Returns null if there is none. `resource` is the stored version, here and below.
  virtual ObjectPtr Get(const Resource& resource, std::string_view namespace_,
                        std::string_view name) const = 0;
  /// Reads the store itself, for a writer whose compare-and-swap has failed.
  virtual Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                                      std::string_view name) = 0;
  /// Returns an object that is stored but cannot be decrypted or decoded; GetLatest returns the
  /// reason. Empty `name`: any object.
  /// Empty `namespace_`: all namespaces.
  virtual std::optional<ObjectId> FindUnreadable(const Resource& /*resource*/,
                                                 std::string_view /*namespace_*/,
                                                 std::string_view /*name*/) const {
    return std::nullopt;
  }
  /// Returns the first `limit` objects; 0: all. The cost depends on the objects visited only.
  virtual Picture List(const Resource& resource, const Selection& selection,
                       std::size_t limit) const = 0;
  Picture List(const Resource& resource, const Selection& selection) const {
    return List(resource, selection, 0);
  }
  /// Returns the number of objects after the key: `default/web`, or `n1` if cluster-scoped.
  virtual std::size_t CountAfter(const Resource& resource, std::string_view namespace_,
                                 std::string_view key) const = 0;
  virtual std::size_t Count(const Resource& resource) const = 0;

  /// Every resource of the cache reflects at least this revision.
  virtual store::Revision revision() const = 0;
  /// Calls `done` once: with true when the cache has reached the revision (before it returns if it
  /// already has), or with false after the timeout.
  virtual void WhenReached(store::Revision revision, Duration timeout,
                           std::move_only_function<void(bool)> done) = 0;
  /// Blocks until the cache has reached the revision. Fails with Timeout.
  Status WaitFor(store::Revision revision, Duration timeout);

  /// Delivers every event of the resource after the revision that may match the selection. Past
  /// events are delivered before it returns. The selection is only a filter hint: the observer gets
  /// all events of objects that enter or leave it, and may get others. Expired: `too old resource
  /// version: X (Y)`.
  virtual Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                               const Selection& selection,
                                                               store::Revision after,
                                                               CacheObserver& observer) = 0;
  Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                       store::Revision after,
                                                       CacheObserver& observer) {
    return Subscribe(resource, {}, after, observer);
  }
  /// Sets `picture` to the selected objects now, and delivers every later event, as above.
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
