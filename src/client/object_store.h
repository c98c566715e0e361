#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "client/reading.h"

namespace plimsoll::client {

/// What an informer tells.
struct InformerEvent {
  enum class Type : std::uint8_t {
    Added,
    Modified,  // also a resync, when `object` and `before` are the same
    Deleted,
    Synced,  // once: all that was there at the beginning has been told
  };

  Type type = Type::Added;
  ObjectPtr object;  // of Deleted: as it was last; of Synced: null
  ObjectPtr before;  // of Modified
};

/// Objects of one kind in the order of namespace and name. One thread at a time.
class ObjectStore {
 public:
  /// Null when there is none.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;
  std::vector<ObjectPtr> All() const { return {objects_.begin(), objects_.end()}; }
  std::size_t size() const { return objects_.size(); }

  // What is changed is told in `out`.

  /// An object of the same name and another uid is told as deleted first: it is not the same. One
  /// that is known in this very version is not told.
  void Put(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Tells the object as it is given, which is its last state. Nothing for an unknown one.
  void Remove(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Makes it hold just these: tells first what is gone, then what is new or other.
  void Replace(const std::vector<ObjectPtr>& objects, std::vector<InformerEvent>& out);

 private:
  using Key = std::pair<std::string_view, std::string_view>;
  struct ByKey {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name.
    static Key KeyOf(const Key& key) { return key; }
    static Key KeyOf(const ObjectPtr& object) {
      return {object->metadata().namespace_, object->metadata().name};
    }
    bool operator()(const auto& a, const auto& b) const { return KeyOf(a) < KeyOf(b); }
  };

  std::set<ObjectPtr, ByKey> objects_;
};

}  // namespace plimsoll::client
