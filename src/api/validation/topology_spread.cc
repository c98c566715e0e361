#include "api/validation/topology_spread.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "api/validation/field_checks.h"
#include "api/validation/label_keys.h"
#include "api/validation/labels.h"
#include "api/validation/list_limits.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kNotPositive = "must be greater than zero";

std::set<std::string_view> KeysOf(const LabelSelector& selector) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : selector.match_labels) keys.insert(key);
  for (const LabelSelectorRequirement& one : selector.match_expressions) keys.insert(one.key);
  return keys;
}

void ValidateMinDomains(const TopologySpreadConstraint& constraint, const FieldPath& at,
                        FieldErrors& errors) {
  if (!constraint.min_domains) return;
  const BadValue shown = BadValue::Int(*constraint.min_domains);
  if (*constraint.min_domains <= 0) errors.Invalid(at, shown, kNotPositive);
  if (constraint.when_unsatisfiable == "DoNotSchedule") return;
  errors.Invalid(at, shown,
                 "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " +
                     std::string(constraint.when_unsatisfiable));
}

/// The former rule: the selector must not contain any of the keys.
void ValidateUnmergedKeys(const TopologySpreadConstraint& constraint, const FieldPath& at,
                          FieldErrors& errors) {
  if (constraint.match_label_keys.empty()) return;
  const std::optional<LabelSelector>& selector = constraint.label_selector;
  if (!selector) errors.Forbidden(at, "must not be specified when labelSelector is not set");
  const std::set<std::string_view> selected =
      selector ? KeysOf(*selector) : std::set<std::string_view>();
  for (std::size_t i = 0; i < constraint.match_label_keys.size(); ++i) {
    const std::string_view key = constraint.match_label_keys[i];
    const FieldPath key_path = at[i];
    ValidateLabelName(key, key_path, errors);
    if (selected.contains(key)) {
      errors.Invalid(key_path, key, "exists in both matchLabelKeys and labelSelector");
    }
  }
}

using TopologyAndAction = std::pair<std::string_view, std::string_view>;

TopologyAndAction PairOf(const TopologySpreadConstraint& constraint) {
  return {constraint.topology_key, constraint.when_unsatisfiable};
}

/// Counts each pair of topology and action.
std::map<TopologyAndAction, std::size_t> CountPairs(
    std::span<const TopologySpreadConstraint> constraints) {
  std::map<TopologyAndAction, std::size_t> counts;
  for (const TopologySpreadConstraint& one : constraints) ++counts[PairOf(one)];
  return counts;
}

/// Reports duplicate pairs of topology and action, at the earlier one. `later` is the number of
/// equal pairs in the rest of the list.
void ValidateNotRepeated(const TopologySpreadConstraint& constraint, std::size_t later,
                         const FieldPath& at, FieldErrors& errors) {
  if (later == 0) return;
  errors.Duplicate(at / "{topologyKey, whenUnsatisfiable}",
                   BadValue::String(std::string("{")
                                        .append(constraint.topology_key)
                                        .append(", ")
                                        .append(constraint.when_unsatisfiable)
                                        .append("}")));
}

}  // namespace

void ValidateTopologySpread(std::span<const TopologySpreadConstraint> constraints,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors) {
  if (!options.allow_long_lists && constraints.size() > kSpreadConstraintsMax) {
    errors.TooMany(at, constraints.size(), kSpreadConstraintsMax);
  }
  auto later = CountPairs(constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const TopologySpreadConstraint& constraint = constraints[i];
    const FieldPath here = at[i];
    if (constraint.max_skew <= 0) {
      errors.Invalid(here / "maxSkew", BadValue::Int(constraint.max_skew), kNotPositive);
    }
    if (constraint.topology_key.empty()) errors.Required(here / "topologyKey", "can not be empty");
    CheckOneOf(constraint.when_unsatisfiable, {"DoNotSchedule", "ScheduleAnyway"},
               here / "whenUnsatisfiable", errors);
    ValidateNotRepeated(constraint, --later[PairOf(constraint)], here, errors);
    ValidateMinDomains(constraint, here / "minDomains", errors);
    if (constraint.node_affinity_policy) {
      CheckOneOf(*constraint.node_affinity_policy, {"Honor", "Ignore"}, here / "nodeAffinityPolicy",
                 errors);
    }
    if (constraint.node_taints_policy) {
      CheckOneOf(*constraint.node_taints_policy, {"Honor", "Ignore"}, here / "nodeTaintsPolicy",
                 errors);
    }
    if (options.allow_unmerged_spread_keys) {
      ValidateUnmergedKeys(constraint, here / "matchLabelKeys", errors);
    } else {
      ValidateLabelKeys(constraint.match_label_keys, {}, constraint.label_selector, here, errors);
    }
    if (constraint.label_selector && !options.allow_invalid_spread_selector) {
      ValidateLabelSelector(*constraint.label_selector, false, here / "labelSelector", errors);
    }
  }
}

}  // namespace plimsoll::api
