#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "codec/document.h"

namespace plimsoll::codec {

/// Applies edits one after the other at a cost that does not grow with the size of the list or
/// object. A thousand removals from a list of a million items do not move a billion items. Long
/// lists are split into chunks while they are edited. Removed members of wide objects are only
/// marked. The tree contains the edits only after WriteBack. Until then, access edited lists and
/// objects through this class only. The memory of the tree must not be reused meanwhile; a Document
/// never does that.
class WideContainers {
 public:
  explicit WideContainers(Document& document) : document_(document) {}

  /// Returns null if there is no such member.
  Value* Find(Value& object, std::string_view key);
  /// Replaces the member, or appends one.
  void Set(Value& object, std::string_view key, const Value& value);
  /// Returns false if there is no such member.
  bool Remove(Value& object, std::string_view key);

  std::size_t SizeOf(Value& list) const;
  /// REQUIRES: `index` < SizeOf(list), and the same for RemoveAt.
  Value& At(Value& list, std::size_t index);
  void RemoveAt(Value& list, std::size_t index);
  /// REQUIRES: `index` <= SizeOf(list).
  void Insert(Value& list, std::size_t index, const Value& value);

  /// Writes all edits at and below the value into the tree, down to the maximum depth of a
  /// Document. The caller must reject a deeper tree.
  void WriteBack(Value& value) { WriteBack(value, ParseLimits{}.depth_max); }

 private:
  struct Members {
    std::size_t seen = 0;  // number of members in `by_key`
    boost::unordered_flat_map<std::string_view, std::size_t> by_key;
    std::vector<bool> is_gone;  // by index; may be shorter than the object
  };
  using Chunk = std::vector<Value>;
  struct Items {
    std::size_t size = 0;
    std::vector<Chunk> chunks;
  };
  struct Position {
    std::size_t chunk = 0;
    std::size_t offset = 0;
  };

  Members& MembersOf(Value& object);
  /// Returns null if the list is not split into chunks.
  Items* FindItems(Value& list);
  Items& SplitIntoChunks(Value& list);
  static Position PositionOf(const Items& items, std::size_t index);
  void WriteBack(Value& value, std::uint32_t levels);
  void WriteBackList(Value& list);
  void WriteBackObject(Value& object);

  Document& document_;
  boost::unordered_flat_map<const Member*, Members> members_;
  boost::unordered_flat_map<const Value*, Items> items_;
};

}  // namespace plimsoll::codec
