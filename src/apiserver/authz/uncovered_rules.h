#pragma once

#include <cstddef>
#include <span>

#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {

/// The part of some rules that other rules do not permit.
struct UncoveredRules {
  /// Empty: everything is permitted. Up to kUncoveredPartsMax single permissions stand here as
  /// upstream has them, one rule per group, resource, verb and name. More than that stand grouped.
  PolicyRules rules;
  /// Groups that were left out of `rules`, because there are too many.
  std::size_t more = 0;
  /// False: the comparison took too many steps, and a part of `rules` may be permitted after all.
  bool is_exact = true;
};

inline constexpr std::size_t kUncoveredPartsMax = 1000;
/// Texts of groups that are listed.
inline constexpr std::size_t kUncoveredTextsMax = 4000;

/// Returns what `held` does not permit of `wanted`. A rule permits all combinations of its verbs,
/// groups, resources and names. The combinations are compared as sets and never multiplied out: the
/// number of steps is at most proportional to the number of texts in both lists.
UncoveredRules FindUncovered(std::span<const PolicyRule> held, std::span<const PolicyRule> wanted);

}  // namespace plimsoll::apiserver
