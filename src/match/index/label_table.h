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

/// A label requirement with its texts as ids of a LabelTable, and its value parsed.
struct CompiledRequirement {
  ColumnId column = Interner::kNone;
  api::NodeSelectorOperator op = api::NodeSelectorOperator::Exists;
  std::vector<ValueId> values;  // for In and NotIn
  std::int64_t number = 0;      // for Gt and Lt
  std::optional<Semver> version;
};

/// Labels of all nodes, one column per key. Nodes with the same keys share one list of keys.
class LabelTable {
 public:
  /// Replaces all labels of a node. Returns false if nothing changed.
  bool Set(NodeSlot slot, const api::StringMap& labels, std::size_t slot_limit);
  void Clear(NodeSlot slot, std::size_t slot_limit);

  /// REQUIRES: CheckTerm reports no error for the requirement.
  CompiledRequirement Compile(const api::NodeSelectorRequirement& requirement);
  /// Compiles the requirement that `key` has exactly this value.
  CompiledRequirement CompileEqual(std::string_view key, std::string_view value);
  void Release(const CompiledRequirement& requirement);

  /// Evaluate the requirement for one node, and for a set of nodes.
  bool Holds(const CompiledRequirement& requirement, NodeSlot slot) const;
  void Retain(const CompiledRequirement& requirement, Bitmap& nodes) const;

  /// Return a node's labels, and one of them. Texts are valid until the next change.
  api::StringMap Labels(NodeSlot slot) const;
  std::optional<std::string_view> Find(NodeSlot slot, std::string_view key) const;

  /// Returns a column for direct use. It stays valid until it is released.
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
  std::deque<LabelColumn> columns_;  // a deque, so that columns do not move
  Interner shapes_;                  // lists of columns, as bytes, sorted by key
  std::vector<ShapeId> shape_of_;    // by slot
  std::vector<ColumnId> scratch_;
};

}  // namespace plimsoll::match
