#include "match/node_selector.h"

#include <algorithm>
#include <charconv>

#include "base/semver.h"

namespace plimsoll::match {
namespace {

using api::NodeSelectorOperator;

constexpr std::string_view kNameField = "metadata.name";

bool HoldsNumber(NodeSelectorOperator op, std::string_view label, std::string_view operand) {
  const std::optional<std::int64_t> left = LabelInteger(label);
  const std::optional<std::int64_t> right = LabelInteger(operand);
  if (!left || !right) return false;
  return op == NodeSelectorOperator::Gt ? *left > *right : *left < *right;
}

bool HoldsVersion(NodeSelectorOperator op, std::string_view label, std::string_view operand) {
  const Result<Semver> left = ParseSemverTolerant(label);
  const Result<Semver> right = ParseSemverTolerant(operand);
  if (!left || !right) return false;
  const std::weak_ordering order = Compare(*left, *right);
  if (op == NodeSelectorOperator::SemverGt) return order > 0;
  if (op == NodeSelectorOperator::SemverLt) return order < 0;
  return order == 0;
}

}  // namespace

std::optional<std::int64_t> LabelInteger(std::string_view text) {
  // from_chars accepts `-` but not `+`. Without the `+` it would accept `+-1`.
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

bool Holds(const api::NodeSelectorRequirement& requirement, const api::StringMap& labels) {
  const std::optional<std::string_view> label = labels.Find(requirement.key);
  const auto listed = [&] {
    return std::ranges::find(requirement.values, *label) != requirement.values.end();
  };
  const NodeSelectorOperator op = *api::ParseNodeSelectorOperator(requirement.op);
  switch (op) {
    case NodeSelectorOperator::In:
      return label && listed();
    case NodeSelectorOperator::NotIn:
      return !label || !listed();
    case NodeSelectorOperator::Exists:
      return label.has_value();
    case NodeSelectorOperator::DoesNotExist:
      return !label;
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt:
      return label && HoldsNumber(op, *label, requirement.values.front());
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq:
      return label && HoldsVersion(op, *label, requirement.values.front());
  }
  return false;
}

bool FieldHolds(const api::NodeSelectorRequirement& requirement, std::string_view node_name) {
  const std::string_view field = requirement.key == kNameField ? node_name : std::string_view();
  const bool equal = field == requirement.values.front();
  return requirement.op == "In" ? equal : !equal;
}

bool Holds(const api::NodeSelectorTerm& term, const NodeView& node) {
  const bool labels_hold = std::ranges::all_of(
      term.match_expressions, [&](const auto& one) { return Holds(one, node.labels); });
  if (!labels_hold) return false;
  return node.name.empty() || std::ranges::all_of(term.match_fields, [&](const auto& one) {
           return FieldHolds(one, node.name);
         });
}

bool IsEmpty(const api::NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

NodeSelectorMatcher::NodeSelectorMatcher(const api::NodeSelector& selector, const Rules& rules) {
  const api::FieldPath at("nodeSelectorTerms");
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    if (IsEmpty(selector.terms[i])) continue;
    terms_.push_back({&selector.terms[i], {}});
    CheckTerm(selector.terms[i], at[i], rules, terms_.back().errors);
  }
}

SelectorAnswer NodeSelectorMatcher::Match(const NodeView& node) const {
  bool has_faults = false;
  for (const Term& term : terms_) {
    if (!term.errors.empty()) {
      has_faults = true;
    } else if (Holds(*term.source, node)) {
      return {.matched = true, .parse_error = {}};
    }
  }
  return {.matched = false, .parse_error = has_faults ? ParseError() : std::string()};
}

std::string NodeSelectorMatcher::ParseError() const {
  api::FieldErrors all;
  for (const Term& term : terms_) all.Append(term.errors);
  return all.empty() ? std::string() : all.Text();
}

RequiredNodeAffinity::RequiredNodeAffinity(const NodeConstraints& pod, const Rules& rules)
    : node_selector_(pod.node_selector) {
  if (const api::NodeSelector* required = pod.required_affinity()) {
    required_.emplace(*required, rules);
  }
}

SelectorAnswer RequiredNodeAffinity::Match(const NodeView& node) const {
  for (const auto& [key, value] : node_selector_) {
    if (node.labels.Find(key) != value) return {};
  }
  return required_ ? required_->Match(node) : SelectorAnswer{.matched = true, .parse_error = {}};
}

PreferredNodeAffinity::PreferredNodeAffinity(std::span<const api::PreferredSchedulingTerm> terms,
                                             const Rules& rules) {
  const api::FieldPath list("");
  api::FieldErrors errors;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!CanCount(terms[i], rules)) continue;
    api::FieldErrors of_term;
    CheckTerm(terms[i].preference, list[i], rules, of_term);
    if (of_term.empty()) terms_.push_back(&terms[i]);
    errors.Append(of_term);
  }
  if (!errors.empty()) parse_error_ = errors.Text();
}

std::int64_t PreferredNodeAffinity::Score(const NodeView& node) const {
  std::int64_t score = 0;
  for (const api::PreferredSchedulingTerm* term : terms_) {
    if (Holds(term->preference, node)) score += term->weight;
  }
  return score;
}

SelectorAnswer MatchVolume(const api::PersistentVolume& volume, const api::StringMap& node_labels,
                           const Rules& rules) {
  const auto& affinity = volume.spec.node_affinity;
  if (!affinity || !affinity->required) return {.matched = true, .parse_error = {}};
  return NodeSelectorMatcher(*affinity->required, rules).Match(NodeView({}, node_labels));
}

}  // namespace plimsoll::match
