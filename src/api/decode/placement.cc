#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, Taint& out) {
  using F = fields::core_v1::Taint;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kValue, out.value},
               FieldTarget{F::kEffect, out.effect}, FieldTarget{F::kTimeAdded, out.time_added});
}

void Decode(const codec::Value& tree, Toleration& out) {
  using F = fields::core_v1::Toleration;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kOperator, out.op},
               FieldTarget{F::kValue, out.value}, FieldTarget{F::kEffect, out.effect},
               FieldTarget{F::kExpression, out.expression},
               FieldTarget{F::kTolerationSeconds, out.toleration_seconds});
}

void Decode(const codec::Value& tree, NodeSelectorRequirement& out) {
  using F = fields::core_v1::NodeSelectorRequirement;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kOperator, out.op},
               FieldTarget{F::kValues, out.values});
}

void Decode(const codec::Value& tree, NodeSelectorTerm& out) {
  using F = fields::core_v1::NodeSelectorTerm;
  DecodeFields(tree, FieldTarget{F::kMatchExpressions, out.match_expressions},
               FieldTarget{F::kMatchFields, out.match_fields});
}

void Decode(const codec::Value& tree, NodeSelector& out) {
  using F = fields::core_v1::NodeSelector;
  DecodeFields(tree, FieldTarget{F::kNodeSelectorTerms, out.terms});
}

void Decode(const codec::Value& tree, PreferredSchedulingTerm& out) {
  using F = fields::core_v1::PreferredSchedulingTerm;
  DecodeFields(tree, FieldTarget{F::kWeight, out.weight},
               FieldTarget{F::kPreference, out.preference});
}

void Decode(const codec::Value& tree, NodeAffinity& out) {
  using F = fields::core_v1::NodeAffinity;
  DecodeFields(tree, FieldTarget{F::kRequiredDuringSchedulingIgnoredDuringExecution, out.required},
               FieldTarget{F::kPreferredDuringSchedulingIgnoredDuringExecution, out.preferred});
}

void Decode(const codec::Value& tree, PodAffinityTerm& out) {
  using F = fields::core_v1::PodAffinityTerm;
  DecodeFields(tree, FieldTarget{F::kLabelSelector, out.label_selector},
               FieldTarget{F::kNamespaceSelector, out.namespace_selector},
               FieldTarget{F::kNamespaces, out.namespaces},
               FieldTarget{F::kTopologyKey, out.topology_key},
               FieldTarget{F::kMatchLabelKeys, out.match_label_keys},
               FieldTarget{F::kMismatchLabelKeys, out.mismatch_label_keys});
}

void Decode(const codec::Value& tree, WeightedPodAffinityTerm& out) {
  using F = fields::core_v1::WeightedPodAffinityTerm;
  DecodeFields(tree, FieldTarget{F::kWeight, out.weight},
               FieldTarget{F::kPodAffinityTerm, out.term});
}

void Decode(const codec::Value& tree, PodAffinity& out) {
  using F = fields::core_v1::PodAffinity;
  DecodeFields(tree, FieldTarget{F::kRequiredDuringSchedulingIgnoredDuringExecution, out.required},
               FieldTarget{F::kPreferredDuringSchedulingIgnoredDuringExecution, out.preferred});
}

void Decode(const codec::Value& tree, Affinity& out) {
  using F = fields::core_v1::Affinity;
  DecodeFields(tree, FieldTarget{F::kNodeAffinity, out.node_affinity},
               FieldTarget{F::kPodAffinity, out.pod_affinity},
               FieldTarget{F::kPodAntiAffinity, out.pod_anti_affinity});
}

void Decode(const codec::Value& tree, TopologySpreadConstraint& out) {
  using F = fields::core_v1::TopologySpreadConstraint;
  DecodeFields(tree, FieldTarget{F::kMaxSkew, out.max_skew},
               FieldTarget{F::kTopologyKey, out.topology_key},
               FieldTarget{F::kWhenUnsatisfiable, out.when_unsatisfiable},
               FieldTarget{F::kLabelSelector, out.label_selector},
               FieldTarget{F::kMinDomains, out.min_domains},
               FieldTarget{F::kNodeAffinityPolicy, out.node_affinity_policy},
               FieldTarget{F::kNodeTaintsPolicy, out.node_taints_policy},
               FieldTarget{F::kMatchLabelKeys, out.match_label_keys});
}

}  // namespace plimsoll::api
