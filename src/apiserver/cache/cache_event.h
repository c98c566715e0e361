#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/selector/field_selector.h"
#include "api/selector/selector.h"
#include "apiserver/cache/stored_object.h"
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
  ObjectPtr departed;                                    // `before` with the revision of the event
  std::vector<std::pair<std::string, net::Piece>> list;  // by a text that identifies the form
};

/// A change of an object.
struct CacheEvent {
  store::Revision revision{};
  ObjectPtr before;  // null: created
  ObjectPtr now;     // null: deleted
  mutable EventForms forms;
};

/// Receives events in the order of revisions, on the cache's thread. Must not block.
class CacheObserver {
 public:
  virtual ~CacheObserver() = default;
  virtual void OnEvent(const std::shared_ptr<const CacheEvent>& event) = 0;
  /// The cache has lost its store and reads it again. The observer must list again.
  virtual void OnReset() = 0;
};

}  // namespace plimsoll::apiserver
