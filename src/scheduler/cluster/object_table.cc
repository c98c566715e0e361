#include "scheduler/cluster/object_table.h"

namespace plimsoll::scheduler {

void ObjectTable::Put(ObjectPtr object) {
  ++version_;
  const api::ObjectMeta& metadata = object->metadata();
  const Key key(metadata.namespace_, metadata.name);
  // The key refers to texts of the old object, so both must be replaced.
  objects_.erase(key);
  objects_.emplace(key, std::move(object));
}

void ObjectTable::Erase(std::string_view namespace_, std::string_view name) {
  if (objects_.erase(Key(namespace_, name)) != 0) ++version_;
}

ObjectPtr ObjectTable::Find(std::string_view namespace_, std::string_view name) const {
  const auto found = objects_.find(Key(namespace_, name));
  return found == objects_.end() ? nullptr : found->second;
}

}  // namespace plimsoll::scheduler
