#pragma once

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/cache/stored_object.h"

namespace plimsoll::apiserver {

/// Objects of one resource in the order of their keys. A Picture is a snapshot that shares the
/// chunks, which hold some hundreds of objects each. A later change copies the chunk first. So a
/// list of all objects costs a writer almost nothing.
///
/// The owner's lock must exclude other threads during writes.
/// A Picture needs no lock.
class ObjectOrder {
 public:
  using Pointer = std::shared_ptr<const StoredObject>;

  struct Chunk {
    std::uint64_t epoch = 0;
    std::vector<Pointer> objects;
  };

  /// Snapshot of consecutive objects.
  class Picture {
   public:
    std::size_t size() const;
    /// Visits the objects until `visit` returns false.
    template <class Visitor>
    void ForEachWhile(Visitor&& visit) const {
      for (std::size_t i = 0; i < chunks_.size(); ++i) {
        const std::vector<Pointer>& objects = chunks_[i]->objects;
        const std::size_t end = i + 1 == chunks_.size() ? last_end_ : objects.size();
        for (std::size_t at = i == 0 ? first_begin_ : 0; at < end; ++at) {
          if (!visit(objects[at])) return;
        }
      }
    }

   private:
    friend class ObjectOrder;
    std::vector<std::shared_ptr<const Chunk>> chunks_;
    std::size_t first_begin_ = 0;
    std::size_t last_end_ = 0;
  };

  ObjectOrder() = default;
  ObjectOrder(const ObjectOrder&) = delete;
  ObjectOrder& operator=(const ObjectOrder&) = delete;

  std::size_t size() const { return size_; }
  Pointer Find(std::string_view namespace_, std::string_view name) const;
  Picture All() const;
  Picture Namespace(std::string_view namespace_) const;
  /// Returns the number of objects after that key, in the namespace or, if it is empty, in all.
  std::size_t CountAfter(std::string_view namespace_, std::string_view key_namespace,
                         std::string_view key_name) const;

  /// Adds the object or replaces the one with its name. Returns the replaced object.
  Pointer Put(Pointer object);
  void Swap(ObjectOrder& other) {
    chunks_.swap(other.chunks_);
    std::swap(size_, other.size_);
    // Snapshots of either one may exist.
    const std::uint64_t epoch = std::max(epoch_.load(), other.epoch_.load()) + 1;
    epoch_ = epoch;
    other.epoch_ = epoch;
  }
  /// Returns the removed object, or null if there is none.
  Pointer Remove(std::string_view namespace_, std::string_view name);

 private:
  /// A position before the object at `index` of the chunk.
  struct Position {
    std::size_t chunk = 0;
    std::size_t index = 0;
  };

  /// Returns the position of the first object for which `is_before` is false.
  template <class Predicate>
  Position FirstNot(Predicate is_before) const;
  Position PositionOf(std::string_view namespace_, std::string_view name) const;
  bool Holds(const Position& place, std::string_view namespace_, std::string_view name) const;
  Position EndOf(std::string_view namespace_) const;
  Picture Between(const Position& begin, const Position& end) const;
  std::vector<Pointer>& Writable(std::size_t chunk);
  std::shared_ptr<Chunk> NewChunk() const;

  std::vector<std::shared_ptr<Chunk>> chunks_;  // none is empty
  std::size_t size_ = 0;
  // Chunks of an earlier epoch may be shared with a Picture.
  mutable std::atomic<std::uint64_t> epoch_ = 0;
};

}  // namespace plimsoll::apiserver
