#pragma once

#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// What the validation of a pod, or of a pod template, lets pass. A field or a value that is no
/// longer allowed stays allowed in an object that has it already, so that such an object can still
/// be updated.
struct PodValidationOptions {
  bool allow_comparison_operators = false;                  // Lt and Gt of tolerations
  bool allow_semver_operators = false;                      // of tolerations and of node affinity
  bool allow_expression = false;                            // of tolerations
  bool allow_invalid_label_value_in_node_affinity = false;  // required terms
  bool allow_unusable_versions = false;                     // of node affinity
  bool allow_invalid_label_value_in_selector = false;       // of pod (anti-)affinity
  bool allow_invalid_spread_selector = false;
  bool allow_unmerged_spread_keys = false;  // matchLabelKeys that are not in the selector
  bool allow_indivisible_huge_pages = false;
  bool allow_long_lists = false;          // longer than in list_limits.h
  bool allow_costly_expressions = false;  // all together
  /// A pod, not the template of one: what is defaulted when the pod is made must be there.
  bool is_pod = true;
  const ExpressionChecker* expressions = nullptr;

  /// From the gates and the object's former state, which is null on creation.
  static PodValidationOptions For(const ValidationContext& context, const PodSpec* before);
  static PodValidationOptions ForTemplate(const ValidationContext& context, const PodSpec* before);
};

/// Whether any term uses SemverGt, SemverLt or SemverEq.
bool UsesSemver(const NodeSelector& selector);

/// Returns true if a version operand is a valid version but not a valid label value.
bool HasUnusableVersion(const NodeSelector& selector);

/// Returns true if a value in `matchExpressions` is not a valid label value.
bool HasInvalidLabelValue(const NodeSelector& selector);

}  // namespace plimsoll::api
