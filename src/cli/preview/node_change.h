#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/explain/cluster_snapshot.h"

/// Changes of nodes that commands make or preview.
namespace plimsoll::cli {

/// A taint to set or to remove: `key=value:Effect`, `key:Effect`, `key:Effect-`, `key-`.
struct TaintEdit {
  std::string key;
  std::string value;
  std::string effect;  // empty only for a removal: all effects
  bool is_removal = false;

  /// Returns the edit as it was written.
  std::string Text() const;
};
Result<TaintEdit> ParseTaintEdit(std::string_view word);

/// Returns the node with these edits, or the node itself if they change nothing. A taint whose
/// value changes loses its time, which the server sets again. Returns Invalid if the server would
/// reject the taints.
Result<ObjectPtr> WithTaints(const ObjectPtr& node, std::span<const TaintEdit> edits);

/// Returns the node with this `spec.unschedulable`, or the node itself if it has it already.
Result<ObjectPtr> WithUnschedulable(const ObjectPtr& node, bool is_unschedulable);

/// Returns the JSON merge patch from one node to the other: `spec.taints` and `spec.unschedulable`.
/// It has the resource version of `before`, so that it does not overwrite a concurrent change.
std::string NodePatch(const api::Object& before, const api::Object& after);

}  // namespace plimsoll::cli
