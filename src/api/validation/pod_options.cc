#include "api/validation/pod_options.h"

#include <algorithm>

#include "api/core/version_operand.h"
#include "api/validation/label_keys.h"
#include "api/validation/labels.h"
#include "api/validation/list_limits.h"
#include "api/validation/resource_names.h"
#include "api/validation/tolerations.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

bool UsesSemver(const NodeSelectorTerm& term) {
  return std::ranges::any_of(term.match_expressions, ComparesVersions);
}

bool HasUnusableVersion(const NodeSelectorTerm& term) {
  return std::ranges::any_of(term.match_expressions, [](const NodeSelectorRequirement& one) {
    return ComparesVersions(one) && std::ranges::any_of(one.values, [](std::string_view value) {
             return !ParseVersionOperand(value).is_usable();
           });
  });
}

bool HasUnusableVersion(const NodeAffinity& affinity) {
  return (affinity.required && HasUnusableVersion(*affinity.required)) ||
         std::ranges::any_of(affinity.preferred, [](const PreferredSchedulingTerm& term) {
           return HasUnusableVersion(term.preference);
         });
}

bool UsesSemver(const PodSpec& spec) {
  const bool in_tolerations =
      std::ranges::any_of(spec.tolerations, [](const Toleration& toleration) {
        const auto op = ParseTolerationOperator(toleration.op);
        return op && IsSemver(*op);
      });
  if (in_tolerations || !spec.affinity || !spec.affinity->node_affinity) return in_tolerations;
  const NodeAffinity& affinity = *spec.affinity->node_affinity;
  return (affinity.required && UsesSemver(*affinity.required)) ||
         std::ranges::any_of(affinity.preferred, [](const PreferredSchedulingTerm& term) {
           return UsesSemver(term.preference);
         });
}

bool UsesComparison(const PodSpec& spec) {
  return std::ranges::any_of(spec.tolerations, [](const Toleration& toleration) {
    const auto op = ParseTolerationOperator(toleration.op);
    return op && IsNumeric(*op);
  });
}

bool UsesExpression(const PodSpec& spec) {
  return std::ranges::any_of(spec.tolerations, [](const Toleration& toleration) {
    return !toleration.expression.empty();
  });
}

bool HasFaultySelector(const PodAffinityTerm& term) {
  return (term.label_selector && HasFault(*term.label_selector)) ||
         (term.namespace_selector && HasFault(*term.namespace_selector));
}

bool HasFaultySelector(const std::optional<PodAffinity>& affinity) {
  if (!affinity) return false;
  return std::ranges::any_of(affinity->required,
                             [](const PodAffinityTerm& term) { return HasFaultySelector(term); }) ||
         std::ranges::any_of(affinity->preferred, [](const WeightedPodAffinityTerm& weighted) {
           return HasFaultySelector(weighted.term);
         });
}

bool HasFaultySpreadSelector(const PodSpec& spec) {
  return std::ranges::any_of(
      spec.topology_spread_constraints, [](const TopologySpreadConstraint& constraint) {
        return constraint.label_selector && HasFault(*constraint.label_selector);
      });
}

bool HasFaultySpreadKeys(const PodSpec& spec) {
  FieldErrors errors;
  for (const TopologySpreadConstraint& constraint : spec.topology_spread_constraints) {
    ValidateLabelKeys(constraint.match_label_keys, {}, constraint.label_selector, FieldPath("spec"),
                      errors);
  }
  return !errors.empty();
}

bool HasIndivisibleHugePages(const ResourceList& list) {
  return std::ranges::any_of(list, [](const ResourceAmount& amount) {
    return IsHugePageResource(amount.name) && !IsHugePageMultiple(amount);
  });
}

bool HasIndivisibleHugePages(const std::vector<Container>& containers) {
  return std::ranges::any_of(containers, [](const Container& container) {
    return HasIndivisibleHugePages(container.resources.limits) ||
           HasIndivisibleHugePages(container.resources.requests);
  });
}

bool HasIndivisibleHugePages(const PodSpec& spec) {
  return HasIndivisibleHugePages(spec.init_containers) ||
         HasIndivisibleHugePages(spec.containers) || HasIndivisibleHugePages(spec.overhead);
}

}  // namespace

bool UsesSemver(const NodeSelector& selector) {
  return std::ranges::any_of(selector.terms,
                             [](const NodeSelectorTerm& term) { return UsesSemver(term); });
}

bool HasUnusableVersion(const NodeSelector& selector) {
  return std::ranges::any_of(selector.terms,
                             [](const NodeSelectorTerm& term) { return HasUnusableVersion(term); });
}

bool HasInvalidLabelValue(const NodeSelector& selector) {
  for (const NodeSelectorTerm& term : selector.terms) {
    for (const NodeSelectorRequirement& requirement : term.match_expressions) {
      for (const std::string_view value : requirement.values) {
        if (!CheckLabelValue(value).empty()) return true;
      }
    }
  }
  return false;
}

PodValidationOptions PodValidationOptions::For(const ValidationContext& context,
                                               const PodSpec* before) {
  const FeatureGates& gates = context.gates;
  PodValidationOptions options{
      .allow_comparison_operators = gates.Enabled(Feature::TaintTolerationComparisonOperators),
      .allow_semver_operators =
          gates.Enabled(Feature::TaintTolerationNodeAffinitySemverComparisonOperators),
      .allow_expression = gates.Enabled(Feature::TaintTolerationCEL),
      .expressions = context.expressions,
  };
  if (before == nullptr) return options;
  options.allow_comparison_operators |= UsesComparison(*before);
  options.allow_semver_operators |= UsesSemver(*before);
  options.allow_expression |= UsesExpression(*before);
  options.allow_invalid_spread_selector = HasFaultySpreadSelector(*before);
  options.allow_unmerged_spread_keys = HasFaultySpreadKeys(*before);
  options.allow_indivisible_huge_pages = HasIndivisibleHugePages(*before);
  options.allow_long_lists = ExceedsListLimits(*before);
  options.allow_costly_expressions =
      CostOfExpressions(before->tolerations, context.expressions) > kExpressionsCostMax;
  if (before->affinity) {
    const Affinity& affinity = *before->affinity;
    options.allow_invalid_label_value_in_node_affinity =
        affinity.node_affinity && affinity.node_affinity->required &&
        HasInvalidLabelValue(*affinity.node_affinity->required);
    options.allow_unusable_versions =
        affinity.node_affinity && HasUnusableVersion(*affinity.node_affinity);
    options.allow_invalid_label_value_in_selector =
        HasFaultySelector(affinity.pod_affinity) || HasFaultySelector(affinity.pod_anti_affinity);
  }
  return options;
}

PodValidationOptions PodValidationOptions::ForTemplate(const ValidationContext& context,
                                                       const PodSpec* before) {
  PodValidationOptions options = For(context, before);
  options.is_pod = false;
  return options;
}

}  // namespace plimsoll::api
