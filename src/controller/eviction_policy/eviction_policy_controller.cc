#include "controller/eviction_policy/eviction_policy_controller.h"

#include <array>
#include <variant>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/plimsoll/eviction_policy.h"
#include "api/policy/pod_disruption_budget.h"
#include "base/overloaded.h"
#include "controller/unread_fields.h"

namespace plimsoll::controller {

std::span<const WatchedKind> EvictionPolicyController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"plimsoll.io", "v1alpha1", "EvictionPolicy"},
      WatchedKind{"", "v1", "Node", kUnusedNodeFields},
      WatchedKind{"", "v1", "Namespace"},
      WatchedKind{"", "v1", "Pod", kUnusedPodFields},
      WatchedKind{"policy", "v1", "PodDisruptionBudget"},
      WatchedKind{"", "v1", "ReplicationController", kUnusedOwnerFields},
      WatchedKind{"apps", "v1", "DaemonSet", kUnusedOwnerFields},
      WatchedKind{"apps", "v1", "ReplicaSet", kUnusedOwnerFields},
      WatchedKind{"apps", "v1", "StatefulSet", kUnusedOwnerFields}};
  return kWatched;
}

void EvictionPolicyController::Observe(const CoreInput& event, const Turn& turn) {
  std::visit(Overloaded{[&](const ObjectChanged& change) { OnChange(change, turn.now); },
                        [&](const ActionFinished& finished) { gate_->Finish(finished, turn); },
                        [&](const Synced&) { gate_->OnSynced(turn.now); }},
             event);
}

void EvictionPolicyController::OnChange(const ObjectChanged& change, Instant now) {
  const auto& [before, after] = change;
  const api::Object& any = after != nullptr ? *after : *before;
  if (any.As<api::Pod>() != nullptr) {
    gate_->OnPodChange(before, after);
  } else if (any.As<api::EvictionPolicy>() != nullptr) {
    gate_->OnPolicyChange(before, after, now);
  } else if (any.As<api::PodDisruptionBudget>() != nullptr) {
    gate_->view().OnBudgetChange(before, after);
  } else if (any.As<api::Node>() != nullptr || any.kind().kind == "Namespace") {
    if (gate_->view().OnLabelledChange(before, after)) gate_->OnLabelsChanged(now);
  } else {
    gate_->view().OnOwnerChange(before, after);
  }
}

}  // namespace plimsoll::controller
