#include "client/object_store.h"

namespace plimsoll::client {

ObjectPtr ObjectStore::Find(std::string_view namespace_, std::string_view name) const {
  const auto found = objects_.find(Key(namespace_, name));
  return found == objects_.end() ? nullptr : *found;
}

void ObjectStore::Put(const ObjectPtr& object, std::vector<InformerEvent>& out) {
  const auto place = objects_.lower_bound(object);
  if (place == objects_.end() || ByKey::KeyOf(*place) != ByKey::KeyOf(object)) {
    objects_.insert(place, object);
    out.push_back({.type = InformerEvent::Type::Added, .object = object, .before = nullptr});
    return;
  }
  ObjectPtr before = *place;
  const api::ObjectMeta& old = before->metadata();
  const api::ObjectMeta& now = object->metadata();
  const bool is_same = old.uid == now.uid;
  if (is_same && old.resource_version == now.resource_version) return;
  const auto next = std::next(place);
  auto node = objects_.extract(place);
  node.value() = object;
  objects_.insert(next, std::move(node));
  if (is_same) {
    out.push_back(
        {.type = InformerEvent::Type::Modified, .object = object, .before = std::move(before)});
    return;
  }
  out.push_back(
      {.type = InformerEvent::Type::Deleted, .object = std::move(before), .before = nullptr});
  out.push_back({.type = InformerEvent::Type::Added, .object = object, .before = nullptr});
}

void ObjectStore::Remove(const ObjectPtr& object, std::vector<InformerEvent>& out) {
  if (objects_.erase(object) == 0) return;
  out.push_back({.type = InformerEvent::Type::Deleted, .object = object, .before = nullptr});
}

void ObjectStore::Replace(const std::vector<ObjectPtr>& objects, std::vector<InformerEvent>& out) {
  const std::set<ObjectPtr, ByKey> wanted(objects.begin(), objects.end());
  for (auto it = objects_.begin(); it != objects_.end();) {
    if (wanted.contains(*it)) {
      ++it;
      continue;
    }
    out.push_back({.type = InformerEvent::Type::Deleted, .object = *it, .before = nullptr});
    it = objects_.erase(it);
  }
  for (const ObjectPtr& object : wanted) Put(object, out);
}

}  // namespace plimsoll::client
