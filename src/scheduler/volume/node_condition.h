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

/// From which nodes something can be used, by their labels. Points into the object that it was made
/// from.
class NodeCondition {
 public:
  /// Everywhere.
  NodeCondition() = default;
  /// A volume's node affinity. What it says of fields does not count.
  static NodeCondition OfVolume(const api::PersistentVolume& volume, const match::Rules& rules);
  /// A class's allowed topologies.
  static NodeCondition OfClass(const api::StorageClass& storage_class);
  /// A capacity's node topology.
  static NodeCondition OfCapacity(const api::CsiStorageCapacity& capacity);
  /// The nodes that a selector means; one without terms means none.
  static NodeCondition Of(api::NodeSelector selector);

  bool holds_everywhere() const { return !selector_; }
  bool Holds(const api::StringMap& node_labels, const match::Rules& rules) const;
  /// Keeps those of `nodes` for which it holds.
  void Keep(match::MatchIndex& index, Bitmap& nodes) const;

 private:
  std::optional<api::NodeSelector> selector_;
};

/// The answers of conditions about all nodes, computed when first asked for. Good while no node
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
