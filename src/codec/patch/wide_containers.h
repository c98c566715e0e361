#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <string_view>
#include <vector>

#include "codec/document.h"

namespace plimsoll::codec {

/// Edits of a tree, one after the other, whose cost does not grow with the size of the list or
/// object that is edited: a thousand removals from a list of a million items do not move a billion
/// items. Long lists are cut into chunks while they are edited, and removed members of wide objects
/// are only marked. The tree shows what was done after Settle; until then all access to lists and
/// objects that were edited goes through this class. The tree's memory must not be reused
/// meanwhile, which a Document never does.
class WideContainers {
 public:
  explicit WideContainers(Document& document) : document_(document) {}

  /// Null when there is none.
  Value* Find(Value& object, std::string_view key);
  /// Replaces the member, or appends one.
  void Set(Value& object, std::string_view key, const Value& value);
  /// False when there was none.
  bool Remove(Value& object, std::string_view key);

  std::size_t SizeOf(Value& list) const;
  /// REQUIRES: `index` < SizeOf(list), and the same for RemoveAt.
  Value& At(Value& list, std::size_t index);
  void RemoveAt(Value& list, std::size_t index);
  /// REQUIRES: `index` <= SizeOf(list).
  void Insert(Value& list, std::size_t index, const Value& value);

  /// Writes all edits at and below the value into the tree, down to the depth that a Document may
  /// have. What lies deeper must be refused.
  void Settle(Value& value) { Settle(value, ParseLimits{}.depth_max); }

 private:
  struct Members {
    std::size_t seen = 0;  // so many are in `by_key`
    boost::unordered_flat_map<std::string_view, std::size_t> by_key;
    std::vector<bool> is_gone;  // by place; shorter than the object where nothing is gone
  };
  using Chunk = std::vector<Value>;
  struct Items {
    std::size_t size = 0;
    std::vector<Chunk> chunks;
  };
  struct Place {
    std::size_t chunk = 0;
    std::size_t offset = 0;
  };

  Members& MembersOf(Value& object);
  /// Null for a list that is not cut.
  Items* FindItems(Value& list);
  Items& Cut(Value& list);
  static Place PlaceOf(const Items& items, std::size_t index);
  void Settle(Value& value, std::uint32_t levels);
  void SettleList(Value& list);
  void SettleObject(Value& object);

  Document& document_;
  boost::unordered_flat_map<const Member*, Members> members_;
  boost::unordered_flat_map<const Value*, Items> items_;
};

}  // namespace plimsoll::codec
