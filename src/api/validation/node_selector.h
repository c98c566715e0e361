#pragma once

#include <span>

#include "api/core/node_selector.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Which operators and values of a node selector pass.
struct NodeSelectorRules {
  bool allow_invalid_label_values = false;
  bool allow_semver_operators = false;
  bool allow_unusable_versions = false;  // operands of Semver* that are no label values
};

void ValidateNodeSelectorTerm(const NodeSelectorTerm& term, const NodeSelectorRules& rules,
                              const FieldPath& at, FieldErrors& errors);

/// Required terms, of a pod or a volume; there must be one.
void ValidateNodeSelector(const NodeSelector& selector, const NodeSelectorRules& rules,
                          const FieldPath& at, FieldErrors& errors);

/// Values of preferred terms need not be label values, as upstream never checked them. Operands of
/// Semver* must be: the matcher cannot compare others.
void ValidatePreferredTerms(std::span<const PreferredSchedulingTerm> terms,
                            const NodeSelectorRules& rules, const FieldPath& at,
                            FieldErrors& errors);

}  // namespace plimsoll::api
