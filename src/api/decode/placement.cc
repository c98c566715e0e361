#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

void Decode(const codec::Value& tree, Taint& out) {
  using F = fields::core_v1::Taint;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKey:
        Decode(value, out.key);
        break;
      case F::kValue:
        Decode(value, out.value);
        break;
      case F::kEffect:
        Decode(value, out.effect);
        break;
      case F::kTimeAdded:
        Decode(value, out.time_added);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, Toleration& out) {
  using F = fields::core_v1::Toleration;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKey:
        Decode(value, out.key);
        break;
      case F::kOperator:
        Decode(value, out.op);
        break;
      case F::kValue:
        Decode(value, out.value);
        break;
      case F::kEffect:
        Decode(value, out.effect);
        break;
      case F::kExpression:
        Decode(value, out.expression);
        break;
      case F::kTolerationSeconds:
        Decode(value, out.toleration_seconds);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeSelectorRequirement& out) {
  using F = fields::core_v1::NodeSelectorRequirement;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKey:
        Decode(value, out.key);
        break;
      case F::kOperator:
        Decode(value, out.op);
        break;
      case F::kValues:
        Decode(value, out.values);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeSelectorTerm& out) {
  using F = fields::core_v1::NodeSelectorTerm;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMatchExpressions:
        Decode(value, out.match_expressions);
        break;
      case F::kMatchFields:
        Decode(value, out.match_fields);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeSelector& out) {
  using F = fields::core_v1::NodeSelector;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kNodeSelectorTerms:
        Decode(value, out.terms);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PreferredSchedulingTerm& out) {
  using F = fields::core_v1::PreferredSchedulingTerm;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kWeight:
        Decode(value, out.weight);
        break;
      case F::kPreference:
        Decode(value, out.preference);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, NodeAffinity& out) {
  using F = fields::core_v1::NodeAffinity;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kRequiredDuringSchedulingIgnoredDuringExecution:
        Decode(value, out.required);
        break;
      case F::kPreferredDuringSchedulingIgnoredDuringExecution:
        Decode(value, out.preferred);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PodAffinityTerm& out) {
  using F = fields::core_v1::PodAffinityTerm;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kLabelSelector:
        Decode(value, out.label_selector);
        break;
      case F::kNamespaceSelector:
        Decode(value, out.namespace_selector);
        break;
      case F::kNamespaces:
        Decode(value, out.namespaces);
        break;
      case F::kTopologyKey:
        Decode(value, out.topology_key);
        break;
      case F::kMatchLabelKeys:
        Decode(value, out.match_label_keys);
        break;
      case F::kMismatchLabelKeys:
        Decode(value, out.mismatch_label_keys);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, WeightedPodAffinityTerm& out) {
  using F = fields::core_v1::WeightedPodAffinityTerm;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kWeight:
        Decode(value, out.weight);
        break;
      case F::kPodAffinityTerm:
        Decode(value, out.term);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PodAffinity& out) {
  using F = fields::core_v1::PodAffinity;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kRequiredDuringSchedulingIgnoredDuringExecution:
        Decode(value, out.required);
        break;
      case F::kPreferredDuringSchedulingIgnoredDuringExecution:
        Decode(value, out.preferred);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, Affinity& out) {
  using F = fields::core_v1::Affinity;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kNodeAffinity:
        Decode(value, out.node_affinity);
        break;
      case F::kPodAffinity:
        Decode(value, out.pod_affinity);
        break;
      case F::kPodAntiAffinity:
        Decode(value, out.pod_anti_affinity);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, TopologySpreadConstraint& out) {
  using F = fields::core_v1::TopologySpreadConstraint;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMaxSkew:
        Decode(value, out.max_skew);
        break;
      case F::kTopologyKey:
        Decode(value, out.topology_key);
        break;
      case F::kWhenUnsatisfiable:
        Decode(value, out.when_unsatisfiable);
        break;
      case F::kLabelSelector:
        Decode(value, out.label_selector);
        break;
      case F::kMinDomains:
        Decode(value, out.min_domains);
        break;
      case F::kNodeAffinityPolicy:
        Decode(value, out.node_affinity_policy);
        break;
      case F::kNodeTaintsPolicy:
        Decode(value, out.node_taints_policy);
        break;
      case F::kMatchLabelKeys:
        Decode(value, out.match_label_keys);
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
