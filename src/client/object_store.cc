#include "client/object_store.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <functional>
#include <utility>

namespace plimsoll::client {
namespace {

using Key = std::pair<std::string_view, std::string_view>;

Key KeyOf(const Key& key) { return key; }
Key KeyOf(const ObjectPtr& object) {
  return {object->metadata().namespace_, object->metadata().name};
}

// NOLINTBEGIN(readability-identifier-naming): the library's names.
struct HashOfKey {
  using is_transparent = void;
  std::size_t operator()(const auto& any) const {
    const Key key = KeyOf(any);
    const std::hash<std::string_view> hash;
    return hash(key.second) * 31 + hash(key.first);
  }
};
struct SameKey {
  using is_transparent = void;
  bool operator()(const auto& a, const auto& b) const { return KeyOf(a) == KeyOf(b); }
};
// NOLINTEND(readability-identifier-naming)

using ObjectSet = boost::unordered_flat_set<ObjectPtr, HashOfKey, SameKey>;

std::vector<ObjectPtr> Sorted(std::vector<ObjectPtr> objects) {
  std::ranges::sort(objects, {}, [](const ObjectPtr& object) { return KeyOf(object); });
  return objects;
}

}  // namespace

/// A hash set: all informers of a process see every change, and a tree would compare a dozen keys
/// for each.
struct ObjectStore::Objects {
  ObjectSet set;
};

ObjectStore::ObjectStore() : objects_(std::make_unique<Objects>()) {}
ObjectStore::~ObjectStore() = default;
ObjectStore::ObjectStore(ObjectStore&&) noexcept = default;
ObjectStore& ObjectStore::operator=(ObjectStore&&) noexcept = default;

ObjectPtr ObjectStore::Find(std::string_view namespace_, std::string_view name) const {
  const auto found = objects_->set.find(Key(namespace_, name));
  return found == objects_->set.end() ? nullptr : *found;
}

std::vector<ObjectPtr> ObjectStore::All() const {
  return Sorted({objects_->set.begin(), objects_->set.end()});
}

std::size_t ObjectStore::size() const { return objects_->set.size(); }

void ObjectStore::Put(const ObjectPtr& object, std::vector<InformerEvent>& out) {
  const auto [place, is_new] = objects_->set.insert(object);
  if (is_new) {
    out.push_back({.type = InformerEvent::Type::Added, .object = object, .before = nullptr});
    return;
  }
  ObjectPtr before = *place;
  const api::ObjectMeta& old = before->metadata();
  const api::ObjectMeta& now = object->metadata();
  const bool is_same = old.uid == now.uid;
  if (is_same && old.resource_version == now.resource_version) return;
  const_cast<ObjectPtr&>(*place) = object;  // safe: the key is unchanged
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
  const auto place = objects_->set.find(object);
  if (place == objects_->set.end()) return;
  out.push_back({.type = InformerEvent::Type::Deleted, .object = *place, .before = nullptr});
  objects_->set.erase(place);
}

void ObjectStore::Replace(const std::vector<ObjectPtr>& objects, std::vector<InformerEvent>& out) {
  const ObjectSet wanted(objects.begin(), objects.end());
  for (const ObjectPtr& known : All()) {
    if (!wanted.contains(known)) Remove(known, out);
  }
  for (const ObjectPtr& object : Sorted(objects)) Put(object, out);
}

}  // namespace plimsoll::client
