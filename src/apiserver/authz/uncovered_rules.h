#pragma once

#include <cstddef>
#include <span>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"

namespace plimsoll::apiserver {

/// Permissions of some rules that other rules do not grant.
struct UncoveredRules {
  /// Empty: everything is granted. Up to kUncoveredPartsMax permissions are listed as upstream
  /// does, one rule per group, resource, verb and name. More than that are grouped.
  PolicyRules rules;
  /// Number of groups omitted from `rules` because there are too many.
  std::size_t more = 0;
  /// False if the comparison took too many steps. Then some of `rules` may be granted after all.
  bool is_exact = true;
};

/// Returns the permissions of `wanted` that `held` does not grant. A rule grants all combinations
/// of its verbs, groups, resources and names. The comparison works on sets and never expands the
/// combinations. The number of steps is at most proportional to the number of texts in both lists.
UncoveredRules FindUncovered(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted);

}  // namespace plimsoll::apiserver
