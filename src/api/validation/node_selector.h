#pragma once

#include <span>

#include "api/core/node_selector.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Options for operators and values of a node selector.
struct NodeSelectorRules {
  bool allow_invalid_label_values = false;
  bool allow_semver_operators = false;
  bool allow_unusable_versions = false;  // operands of Semver* that are not valid label values
};

/// Validates required terms of a pod or a volume; at least one must be present.
void ValidateNodeSelector(const NodeSelector& selector, const NodeSelectorRules& rules,
                          const FieldPath& at, FieldErrors& errors);

/// Validates preferred terms. Values need not be label values, as upstream never checked them.
/// Operands of Semver* must be, because the matcher cannot compare others.
void ValidatePreferredTerms(std::span<const PreferredSchedulingTerm> terms,
                            const NodeSelectorRules& rules, const FieldPath& at,
                            FieldErrors& errors);

}  // namespace plimsoll::api
