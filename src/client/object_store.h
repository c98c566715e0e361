#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "client/response_parser.h"

namespace plimsoll::client {

/// A change that an informer reports.
struct InformerEvent {
  enum class Type : std::uint8_t {
    Added,
    Modified,  // also a resync, when `object` and `before` are the same
    Deleted,
    Synced,  // once: all initial objects have been reported
  };

  Type type = Type::Added;
  ObjectPtr object;  // for Deleted: its last state; for Synced: null
  ObjectPtr before;  // for Modified
};

/// Cache of the objects of one kind by namespace and name. For one thread at a time.
class ObjectStore {
 public:
  ObjectStore();
  ~ObjectStore();
  ObjectStore(ObjectStore&&) noexcept;
  ObjectStore& operator=(ObjectStore&&) noexcept;

  /// Returns null if there is no such object.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;
  /// Returns all objects, sorted by key.
  std::vector<ObjectPtr> All() const;
  std::size_t size() const;

  // The methods below append the changes to `out`.

  /// Adds or updates an object. One of the same name with another uid is reported as deleted first.
  /// An object that is known in the same version is not reported.
  void Put(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Removes the object and reports its last known state, so `object` needs only a name. Reports
  /// nothing if it is unknown.
  void Remove(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Replaces all objects. First reports deletions, then additions and changes, each sorted by
  /// key.
  void Replace(const std::vector<ObjectPtr>& objects, std::vector<InformerEvent>& out);

 private:
  struct Objects;

  std::unique_ptr<Objects> objects_;
};

}  // namespace plimsoll::client
