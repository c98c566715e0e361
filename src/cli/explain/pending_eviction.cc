#include "cli/explain/pending_eviction.h"

#include <algorithm>
#include <vector>

#include "base/metrics.h"
#include "cli/output/json_fields.h"
#include "controller/taint_eviction/stay.h"
#include "controller/taint_eviction/taint_eviction.h"

namespace plimsoll::cli {

std::optional<PendingEviction> FindEviction(const ObjectPtr& pod, const ObjectPtr& node,
                                            const api::FeatureGates& gates,
                                            const match::Rules& rules, Instant now) {
  std::vector<api::Taint> taints = node->As<api::Node>()->spec.taints;
  std::erase_if(taints, [](const api::Taint& taint) { return taint.effect != "NoExecute"; });
  if (taints.empty()) return std::nullopt;
  const controller::Stay stay = controller::DecideStay(
      taints, pod->As<api::Pod>()->spec.tolerations,
      {.match = rules, .threshold_grace = gates.Enabled(api::Feature::ThresholdEvictionGrace)});
  if (stay.is_for_ever()) return std::nullopt;
  PendingEviction pending;
  pending.why = stay.is_refused() ? stay.refusal : stay.limits.front().why;
  if (stay.is_refused()) return pending;
  pending.is_time_certain = std::ranges::none_of(
      stay.limits, [&](const auto& limit) { return taints[limit.taint].time_added.empty(); });
  // Ask the controller itself for the time, because it knows when a countdown starts.
  MetricsRegistry metrics;
  controller::TaintEviction eviction(gates, rules, metrics);
  controller::Actions ignored_actions;
  const controller::Turn turn{now, ignored_actions};
  eviction.Observe(api::ObjectChanged{nullptr, node}, turn);
  eviction.Observe(api::ObjectChanged{nullptr, pod}, turn);
  eviction.Observe(api::Synced{}, turn);
  pending.at = eviction.NextWake();
  return pending;
}

codec::Value EvictionTree(const PendingEviction& eviction, codec::Document& document) {
  codec::Value tree = document.NewObject();
  if (eviction.at) SetText(document, tree, "at", FormatTime(*eviction.at));
  document.Set(tree, "certain", codec::Value::Bool(eviction.is_time_certain));
  SetText(document, tree, "why", eviction.why);
  return tree;
}

}  // namespace plimsoll::cli
