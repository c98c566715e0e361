#include "match/hint.h"

#include "match/threshold_hint.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::match {
namespace {

using Nodes = std::span<const api::Node* const>;

/// Scans all nodes for each query.
class ScannedNodes final : public NodeValues {
 public:
  explicit ScannedNodes(Nodes nodes) : nodes_(nodes) {}

  std::vector<PublishedValue> OfTaints(const api::Toleration& toleration) const override {
    std::vector<PublishedValue> values;
    for (const api::Node* node : nodes_) {
      for (const api::Taint& taint : node->spec.taints) {
        const bool key_fits = toleration.key.empty() || toleration.key == taint.key;
        const bool effect_fits = toleration.effect.empty() || toleration.effect == taint.effect;
        if (key_fits && effect_fits) values.push_back({taint.value, node->metadata.name});
      }
    }
    return values;
  }

  std::vector<PublishedValue> OfLabel(std::string_view key) const override {
    std::vector<PublishedValue> values;
    for (const api::Node* node : nodes_) {
      if (const auto value = node->metadata.labels.Find(key)) {
        values.push_back({*value, node->metadata.name});
      }
    }
    return values;
  }

 private:
  Nodes nodes_;
};

void AddTimeHint(const api::Toleration& toleration, const api::FieldPath& at,
                 std::vector<Hint>& hints) {
  if (toleration.effect != "NoExecute" || toleration.toleration_seconds) return;
  std::string message =
      IsThreshold(toleration)
          ? "without tolerationSeconds the pod is evicted at once when the value crosses " +
                std::string(toleration.op) + " " + std::string(toleration.value) +
                "; set it for a grace period"
          : "without tolerationSeconds the pod stays on the tainted node forever";
  hints.push_back({HintKind::NoExecuteWithoutTime, at.Text(), std::move(message)});
}

void AddTolerationHints(const api::Toleration& toleration, const api::FieldPath& at,
                        const NodeValues& values, std::vector<Hint>& hints) {
  if (IsThreshold(toleration)) {
    AddThresholdHints({Published::Taint, toleration.op, toleration.value},
                      values.OfTaints(toleration), at / "value", hints);
  }
  AddTimeHint(toleration, at, hints);
}

void AddTermHints(const api::NodeSelectorTerm& term, const api::FieldPath& at,
                  const NodeValues& values, std::vector<Hint>& hints) {
  const api::FieldPath expressions = at / "matchExpressions";
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    const api::NodeSelectorRequirement& requirement = term.match_expressions[i];
    if (requirement.values.size() != 1) continue;
    const api::FieldPath item = expressions[i];
    AddThresholdHints({Published::Label, requirement.op, requirement.values.front()},
                      values.OfLabel(requirement.key), item / "values", hints);
  }
}

void AddSelectorHints(const api::NodeSelector& selector, const api::FieldPath& at,
                      const NodeValues& values, std::vector<Hint>& hints) {
  const api::FieldPath terms = at / "nodeSelectorTerms";
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    AddTermHints(selector.terms[i], terms[i], values, hints);
  }
}

void AddAffinityHints(const api::NodeAffinity& affinity, const api::FieldPath& at,
                      const NodeValues& values, std::vector<Hint>& hints) {
  if (affinity.required) {
    AddSelectorHints(*affinity.required, at / "requiredDuringSchedulingIgnoredDuringExecution",
                     values, hints);
  }
  const api::FieldPath preferred = at / "preferredDuringSchedulingIgnoredDuringExecution";
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    const api::FieldPath item = preferred[i];
    AddTermHints(affinity.preferred[i].preference, item / "preference", values, hints);
  }
}

}  // namespace

std::string_view ToText(HintKind kind) {
  switch (kind) {
    case HintKind::StrictThreshold:
      return "StrictThreshold";
    case HintKind::PrereleaseTrap:
      return "PrereleaseTrap";
    case HintKind::ThresholdUnmet:
      return "ThresholdUnmet";
    case HintKind::NoExecuteWithoutTime:
      return "NoExecuteWithoutTime";
    case HintKind::NeverMatches:
      return "NeverMatches";
  }
  return {};
}

std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at,
                           const NodeValues& values) {
  std::vector<Hint> hints;
  const api::FieldPath tolerations = at / "tolerations";
  for (std::size_t i = 0; i < spec.tolerations.size(); ++i) {
    AddTolerationHints(spec.tolerations[i], tolerations[i], values, hints);
  }
  if (spec.affinity && spec.affinity->node_affinity) {
    const api::FieldPath affinity = at / "affinity";
    AddAffinityHints(*spec.affinity->node_affinity, affinity / "nodeAffinity", values, hints);
  }
  return hints;
}

std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at, Nodes nodes) {
  return PodHints(spec, at, ScannedNodes(nodes));
}

std::vector<Hint> VolumeHints(const api::PersistentVolumeSpec& spec, const api::FieldPath& at,
                              Nodes nodes) {
  const ScannedNodes values(nodes);
  std::vector<Hint> hints;
  if (spec.node_affinity && spec.node_affinity->required) {
    const api::FieldPath affinity = at / "nodeAffinity";
    AddSelectorHints(*spec.node_affinity->required, affinity / "required", values, hints);
  }
  return hints;
}

}  // namespace plimsoll::match
