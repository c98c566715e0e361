#pragma once

#include <map>
#include <memory>
#include <optional>

#include "api/core/persistent_volume.h"
#include "api/meta/string_map.h"
#include "api/storage/csi.h"
#include "api/storage/storage_class.h"
#include "base/bitmap.h"
#include "match/index/match_index.h"
#include "match/rules.h"

namespace plimsoll::scheduler {

/// Nodes from which something is usable, by their labels. Points into the object that it was made
/// from.
class NodeCondition {
 public:
  /// All nodes.
  NodeCondition() = default;
  /// Node affinity of a volume. Ignores match_fields.
  static NodeCondition OfVolume(const api::PersistentVolume& volume, const match::Rules& rules);
  /// Allowed topologies of a StorageClass.
  static NodeCondition OfClass(const api::StorageClass& storage_class);
  /// Node topology of a CSIStorageCapacity.
  static NodeCondition OfCapacity(const api::CsiStorageCapacity& capacity);
  /// Nodes that the selector matches; none if it has no terms.
  static NodeCondition Of(api::NodeSelector selector);

  bool holds_everywhere() const { return !selector_; }
  bool Holds(const api::StringMap& node_labels, const match::Rules& rules) const;
  /// Removes the nodes for which the condition does not hold.
  void FilterNodes(match::MatchIndex& index, Bitmap& nodes) const;

 private:
  std::optional<api::NodeSelector> selector_;
};

/// Matching nodes of conditions, computed at the first query. Valid while no node
/// changes.
class ConditionBitmaps {
 public:
  explicit ConditionBitmaps(match::MatchIndex& index, const Bitmap& nodes)
      : index_(index), nodes_(nodes) {}

  const Bitmap& Of(const NodeCondition& condition);

 private:
  match::MatchIndex& index_;
  const Bitmap& nodes_;
  std::map<const NodeCondition*, Bitmap> bitmaps_;
};

}  // namespace plimsoll::scheduler
