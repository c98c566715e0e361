#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "apiserver/cache/stored_object.h"
#include "apiserver/resource/resource.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "store/store.h"

namespace plimsoll::apiserver {

using ObjectPtr = std::shared_ptr<const StoredObject>;

/// Which objects of a resource are meant.
struct Selection {
  std::string namespace_;  // empty: all
  api::Selector labels;
  api::FieldSelector fields;

  bool Matches(const StoredObject& object) const;
};

/// Objects at one moment, in the order of their keys.
struct Picture {
  std::vector<ObjectPtr> objects;
  store::Revision revision{};
};

/// Something that happened to an object. Frames are made once, however many watchers get them.
struct CacheEvent {
  store::Revision revision{};
  ObjectPtr before;  // null: created
  ObjectPtr now;     // null: deleted
};

/// Called in the order of revisions, on the cache's thread; must not wait.
class CacheObserver {
 public:
  virtual ~CacheObserver() = default;
  virtual void OnEvent(const std::shared_ptr<const CacheEvent>& event) = 0;
  /// The cache lost its store and starts again; whoever watches must list again.
  virtual void OnReset() = 0;
};

class CacheSubscription {
 public:
  virtual ~CacheSubscription() = default;
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
  virtual Picture List(const Resource& resource, const Selection& selection) const = 0;
  virtual std::size_t Count(const Resource& resource) const = 0;

  /// What all of the cache reflects at least.
  virtual store::Revision revision() const = 0;
  /// Waits until it reflects the revision. Timeout.
  virtual Status WaitFor(store::Revision revision, Duration timeout) = 0;

  /// Every event of the resource after the revision, the kept ones before this returns. Expired:
  /// `too old resource version: X (Y)`.
  virtual Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                               store::Revision after,
                                                               CacheObserver& observer) = 0;
  /// The objects now, and every event after that.
  virtual std::unique_ptr<CacheSubscription> SubscribeNow(const Resource& resource,
                                                          CacheObserver& observer,
                                                          Picture& picture) = 0;
};

}  // namespace plimsoll::apiserver
