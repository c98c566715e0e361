#pragma once

#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// Relaxations of the validation of a pod or a pod template. A field or value
/// that is no longer allowed stays allowed in objects that already have it, so
/// that they can still be updated.
struct PodValidationOptions {
  bool allow_comparison_operators = false;                  // Lt and Gt of tolerations
  bool allow_semver_operators = false;                      // for tolerations and node affinity
  bool allow_expression = false;                            // for tolerations
  bool allow_invalid_label_value_in_node_affinity = false;  // required terms
  bool allow_unusable_versions = false;                     // for node affinity
  bool allow_invalid_label_value_in_selector = false;       // for pod (anti-)affinity
  bool allow_invalid_spread_selector = false;
  bool allow_unmerged_spread_keys = false;  // matchLabelKeys that are not in the selector
  bool allow_indivisible_huge_pages = false;
  bool allow_long_lists = false;          // longer than in list_limits.h
  bool allow_costly_expressions = false;  // total cost above the limit
  /// True for a pod, false for a template. A pod must have all fields with defaults.
  bool is_pod = true;
  const ExpressionChecker* expressions = nullptr;

  /// Makes options from the gates and the stored spec, which is null on creation.
  static PodValidationOptions For(const ValidationContext& context, const PodSpec* before);
  static PodValidationOptions ForTemplate(const ValidationContext& context, const PodSpec* before);
};

/// Returns true if a term uses SemverGt, SemverLt or SemverEq.
bool UsesSemver(const NodeSelector& selector);

/// Returns true if a version operand is a valid version but not a valid label value.
bool HasUnusableVersion(const NodeSelector& selector);

/// Returns true if a value in `matchExpressions` is not a valid label value.
bool HasInvalidLabelValue(const NodeSelector& selector);

}  // namespace plimsoll::api
