#include "scheduler/volume/node_condition.h"

#include <utility>
#include <vector>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/selector/selector.h"
#include "match/node_selector.h"

namespace plimsoll::scheduler {
namespace {

api::NodeSelectorRequirement In(std::string_view key, std::vector<std::string_view> values) {
  return {.key = key, .op = "In", .values = std::move(values)};
}

bool IsUsable(const api::NodeSelectorTerm& term, const match::Rules& rules) {
  if (match::IsEmpty(term)) return false;
  api::FieldErrors errors;
  match::CheckTerm(term, api::FieldPath("nodeSelectorTerms"), rules, errors);
  return errors.empty();
}

}  // namespace

NodeCondition NodeCondition::Of(api::NodeSelector selector) {
  NodeCondition condition;
  condition.selector_ = std::move(selector);
  return condition;
}

NodeCondition NodeCondition::OfVolume(const api::PersistentVolume& volume,
                                      const match::Rules& rules) {
  const auto& affinity = volume.spec.node_affinity;
  if (!affinity || !affinity->required) return {};
  api::NodeSelector by_labels;
  for (const api::NodeSelectorTerm& term : affinity->required->terms) {
    if (!IsUsable(term, rules)) continue;
    // A term with only fields matches every node, because volumes are matched by labels only.
    if (term.match_expressions.empty()) return {};
    by_labels.terms.push_back({.match_expressions = term.match_expressions, .match_fields = {}});
  }
  return Of(std::move(by_labels));
}

NodeCondition NodeCondition::OfClass(const api::StorageClass& storage_class) {
  if (storage_class.allowed_topologies.empty()) return {};
  api::NodeSelector selector;
  for (const api::TopologySelectorTerm& topology : storage_class.allowed_topologies) {
    api::NodeSelectorTerm& term = selector.terms.emplace_back();
    for (const auto& [key, values] : topology.match_label_expressions) {
      term.match_expressions.push_back(In(key, values));
    }
  }
  return Of(std::move(selector));
}

NodeCondition NodeCondition::OfCapacity(const api::CsiStorageCapacity& capacity) {
  if (!capacity.node_topology || !api::Selector::FromObject(&*capacity.node_topology)) {
    return Of({});
  }
  if (capacity.node_topology->empty()) return {};
  api::NodeSelectorTerm term;
  for (const auto& [key, value] : capacity.node_topology->match_labels) {
    term.match_expressions.push_back(In(key, {value}));
  }
  for (const auto& [key, op, values] : capacity.node_topology->match_expressions) {
    term.match_expressions.push_back({.key = key, .op = op, .values = values});
  }
  return Of({{std::move(term)}});
}

bool NodeCondition::Holds(const api::StringMap& node_labels, const match::Rules& rules) const {
  if (!selector_) return true;
  return match::NodeSelectorMatcher(*selector_, rules).Match({{}, node_labels}).matched;
}

void NodeCondition::FilterNodes(match::MatchIndex& index, Bitmap& nodes) const {
  if (!selector_) return;
  api::PodSpec question;
  question.affinity.emplace().node_affinity.emplace().required = *selector_;
  nodes.And(index.Filter(index.Compile(question, match::ProgramParts::Selection)));
}

const Bitmap& ConditionBitmaps::Of(const NodeCondition& condition) {
  const auto [at, is_new] = bitmaps_.try_emplace(&condition);
  if (is_new) {
    at->second = nodes_;
    condition.FilterNodes(index_, at->second);
  }
  return at->second;
}

}  // namespace plimsoll::scheduler
