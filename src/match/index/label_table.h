#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/meta/string_map.h"
#include "base/bitmap.h"
#include "base/interner.h"
#include "match/index/label_column.h"

namespace plimsoll::match {

using ColumnId = Interner::Id;

/// A label requirement whose texts are ids of a LabelTable and whose value is parsed.
struct CompiledRequirement {
  ColumnId column = Interner::kNone;
  api::NodeSelectorOperator op = api::NodeSelectorOperator::Exists;
  std::vector<ValueId> values;  // of In and NotIn
  std::int64_t number = 0;      // of Gt and Lt
  std::optional<Semver> version;
};

/// The labels of all nodes, a column per key. Nodes with the same keys share one list of them.
class LabelTable {
 public:
  /// Replaces all labels of a node; false when nothing changed.
  bool Set(NodeSlot slot, const api::StringMap& labels, std::size_t slot_limit);
  void Clear(NodeSlot slot, std::size_t slot_limit);

  /// Wants a requirement that CheckTerm finds no fault with.
  CompiledRequirement Compile(const api::NodeSelectorRequirement& requirement);
  /// `key` must have exactly this value.
  CompiledRequirement CompileEqual(std::string_view key, std::string_view value);
  void Release(const CompiledRequirement& requirement);

  /// For one node, and for a set of nodes at a time.
  bool Holds(const CompiledRequirement& requirement, NodeSlot slot) const;
  void Keep(const CompiledRequirement& requirement, Bitmap& nodes) const;

  /// A node's labels, and one of them. Texts are good until the next change.
  api::StringMap Labels(NodeSlot slot) const;
  std::optional<std::string_view> Find(NodeSlot slot, std::string_view key) const;

  /// A column that somebody reads by itself. It stays until it is released.
  ColumnId AcquireColumn(std::string_view key);
  void ReleaseColumn(ColumnId column);
  const LabelColumn& column(ColumnId id) const { return columns_[id]; }

  std::size_t TextBytes() const;
  std::size_t MemoryBytes() const;

 private:
  using ShapeId = Interner::Id;

  ShapeId AcquireShape(const api::StringMap& labels);
  void ReleaseShape(ShapeId shape);
  void ClearMissing(NodeSlot slot, ShapeId old_shape, ShapeId new_shape, std::size_t slot_limit);

  Interner keys_;                    // a key's id is its column
  std::deque<LabelColumn> columns_;  // columns do not move
  Interner shapes_;                  // lists of columns, as bytes, in the order of the keys
  std::vector<ShapeId> shape_of_;    // by slot
  std::vector<ColumnId> scratch_;
};

}  // namespace plimsoll::match
