#include "apiserver/cache/object_order.h"

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kChunkObjectsMax = 256;

/// Compares the store keys of two objects:
/// `a-b/x` comes before `a/x`, as `-` is less than `/`.
std::strong_ordering CompareKeys(std::string_view namespace_a, std::string_view name_a,
                                 std::string_view namespace_b, std::string_view name_b) {
  const std::size_t common = std::min(namespace_a.size(), namespace_b.size());
  const int order = namespace_a.compare(0, common, namespace_b, 0, common);
  if (order != 0) return order <=> 0;
  if (namespace_a.size() == namespace_b.size()) return name_a <=> name_b;
  // In the key, a slash follows the shorter namespace.
  const auto byte = [common](std::string_view text) {
    return static_cast<unsigned char>(text.size() > common ? text[common] : '/');
  };
  return byte(namespace_a) <=> byte(namespace_b);
}

}  // namespace

std::size_t ObjectOrder::Picture::size() const {
  std::size_t count = 0;
  for (const auto& chunk : chunks_) count += chunk->objects.size();
  if (!chunks_.empty()) count -= first_begin_ + chunks_.back()->objects.size() - last_end_;
  return count;
}

template <class Predicate>
ObjectOrder::Position ObjectOrder::FirstNot(Predicate is_before) const {
  // The last chunk that begins before the place, or the first chunk.
  auto chunk = std::ranges::partition_point(chunks_, [&](const std::shared_ptr<Chunk>& candidate) {
    return is_before(*candidate->objects.front());
  });
  if (chunk != chunks_.begin()) --chunk;
  if (chunk == chunks_.end()) return {};
  const std::vector<Pointer>& objects = (*chunk)->objects;
  const auto object = std::ranges::partition_point(
      objects, [&](const Pointer& candidate) { return is_before(*candidate); });
  return {static_cast<std::size_t>(chunk - chunks_.begin()),
          static_cast<std::size_t>(object - objects.begin())};
}

ObjectOrder::Position ObjectOrder::PositionOf(std::string_view namespace_,
                                              std::string_view name) const {
  const Position place = FirstNot([&](const StoredObject& object) {
    return CompareKeys(object.namespace_(), object.name(), namespace_, name) < 0;
  });
  // The end of a chunk and the start of the next are the same place. An existing object is at the
  // latter; a new one is added at the former.
  const Position next{place.chunk + 1, 0};
  return Holds(next, namespace_, name) ? next : place;
}

bool ObjectOrder::Holds(const Position& place, std::string_view namespace_,
                        std::string_view name) const {
  if (place.chunk >= chunks_.size()) return false;
  const std::vector<Pointer>& objects = chunks_[place.chunk]->objects;
  return place.index < objects.size() && objects[place.index]->name() == name &&
         objects[place.index]->namespace_() == namespace_;
}

ObjectOrder::Pointer ObjectOrder::Find(std::string_view namespace_, std::string_view name) const {
  const Position place = PositionOf(namespace_, name);
  return Holds(place, namespace_, name) ? chunks_[place.chunk]->objects[place.index] : nullptr;
}

ObjectOrder::Position ObjectOrder::EndOf(std::string_view namespace_) const {
  return FirstNot([&](const StoredObject& object) {
    return object.namespace_() == namespace_ ||
           CompareKeys(object.namespace_(), object.name(), namespace_, "") < 0;
  });
}

ObjectOrder::Picture ObjectOrder::Between(const Position& begin, const Position& end) const {
  Picture picture;
  if (chunks_.empty()) return picture;
  epoch_.fetch_add(1, std::memory_order_relaxed);
  picture.chunks_.assign(chunks_.begin() + static_cast<std::ptrdiff_t>(begin.chunk),
                         chunks_.begin() + static_cast<std::ptrdiff_t>(end.chunk) + 1);
  picture.first_begin_ = begin.index;
  picture.last_end_ = end.index;
  return picture;
}

ObjectOrder::Picture ObjectOrder::All() const {
  if (chunks_.empty()) return {};
  return Between({}, {chunks_.size() - 1, chunks_.back()->objects.size()});
}

ObjectOrder::Picture ObjectOrder::Namespace(std::string_view namespace_) const {
  // A name has at least one byte, so the empty name is before all names of the namespace.
  return Between(PositionOf(namespace_, ""), EndOf(namespace_));
}

std::size_t ObjectOrder::CountAfter(std::string_view namespace_, std::string_view key_namespace,
                                    std::string_view key_name) const {
  if (chunks_.empty()) return 0;
  const Position begin = FirstNot([&](const StoredObject& object) {
    return CompareKeys(object.namespace_(), object.name(), key_namespace, key_name) <= 0;
  });
  const Position end = namespace_.empty() ? Position{chunks_.size(), 0} : EndOf(namespace_);
  std::size_t count = end.index;
  for (std::size_t i = begin.chunk; i < end.chunk; ++i) count += chunks_[i]->objects.size();
  return count - std::min(count, begin.index);
}

std::shared_ptr<ObjectOrder::Chunk> ObjectOrder::NewChunk() const {
  auto chunk = std::make_shared<Chunk>();
  chunk->epoch = epoch_.load(std::memory_order_relaxed);
  return chunk;
}

std::vector<ObjectOrder::Pointer>& ObjectOrder::Writable(std::size_t chunk) {
  std::shared_ptr<Chunk>& here = chunks_[chunk];
  if (here->epoch != epoch_.load(std::memory_order_relaxed)) {
    std::shared_ptr<Chunk> copy = NewChunk();
    copy->objects = here->objects;
    here = std::move(copy);
  }
  return here->objects;
}

ObjectOrder::Pointer ObjectOrder::Put(Pointer object) {
  const Position place = PositionOf(object->namespace_(), object->name());
  if (Holds(place, object->namespace_(), object->name())) {
    return std::exchange(Writable(place.chunk)[place.index], std::move(object));
  }
  ++size_;
  if (chunks_.empty()) {
    chunks_.push_back(NewChunk());
    chunks_[0]->objects.push_back(std::move(object));
    return nullptr;
  }
  std::vector<Pointer>& objects = Writable(place.chunk);
  objects.insert(objects.begin() + static_cast<std::ptrdiff_t>(place.index), std::move(object));
  if (objects.size() > kChunkObjectsMax) {
    // Objects that arrive in order, as at the start, must fill their chunks.
    const bool is_at_end = place.index + 1 == objects.size();
    const auto cut = static_cast<std::ptrdiff_t>(is_at_end ? place.index : objects.size() / 2);
    std::shared_ptr<Chunk> right = NewChunk();
    right->objects.assign(std::make_move_iterator(objects.begin() + cut),
                          std::make_move_iterator(objects.end()));
    objects.erase(objects.begin() + cut, objects.end());
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk) + 1,
                   std::move(right));
  }
  return nullptr;
}

ObjectOrder::Pointer ObjectOrder::Remove(std::string_view namespace_, std::string_view name) {
  const Position place = PositionOf(namespace_, name);
  if (!Holds(place, namespace_, name)) return nullptr;
  std::vector<Pointer>& objects = Writable(place.chunk);
  Pointer removed = std::move(objects[place.index]);
  objects.erase(objects.begin() + static_cast<std::ptrdiff_t>(place.index));
  if (objects.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk));
  --size_;
  return removed;
}

}  // namespace plimsoll::apiserver
