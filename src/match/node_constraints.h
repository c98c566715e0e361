#pragma once

#include <span>

#include "api/core/pod.h"

namespace plimsoll::match {

/// Parts of a pod that restrict its nodes. REQUIRES: the pod outlives it.
struct NodeConstraints {
  /// Implicit, so that a PodSpec can be passed where only these parts are read.
  // NOLINTNEXTLINE(google-explicit-constructor): see above.
  NodeConstraints(const api::PodSpec& spec)
      : node_selector(spec.node_selector),
        node_affinity(spec.affinity && spec.affinity->node_affinity ? &*spec.affinity->node_affinity
                                                                    : nullptr),
        tolerations(spec.tolerations) {}

  /// Returns the required node affinity, or null.
  const api::NodeSelector* required_affinity() const {
    return node_affinity != nullptr && node_affinity->required ? &*node_affinity->required
                                                               : nullptr;
  }

  const api::StringMap& node_selector;
  const api::NodeAffinity* node_affinity;  // null: none
  std::span<const api::Toleration> tolerations;
};

}  // namespace plimsoll::match
