#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
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

/// Objects of one kind by namespace and name. One thread at a time.
class ObjectStore {
 public:
  ObjectStore();
  ~ObjectStore();
  ObjectStore(ObjectStore&&) noexcept;
  ObjectStore& operator=(ObjectStore&&) noexcept;

  /// Null when there is none.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;
  /// In the order of their keys.
  std::vector<ObjectPtr> All() const;
  std::size_t size() const;

  // What is changed is told in `out`.

  /// An object of the same name and another uid is told as deleted first: it is not the same. One
  /// that is known in this very version is not told.
  void Put(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Tells the object as it was known, which is its last state: what is given need have no more
  /// than its name. Nothing for an unknown one.
  void Remove(const ObjectPtr& object, std::vector<InformerEvent>& out);
  /// Makes it hold just these: tells first what is gone, then what is new or other, each in the
  /// order of their keys.
  void Replace(const std::vector<ObjectPtr>& objects, std::vector<InformerEvent>& out);

 private:
  struct Objects;

  std::unique_ptr<Objects> objects_;
};

}  // namespace plimsoll::client
