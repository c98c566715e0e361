#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

/// The plain matcher for taints. It reads like the specification and is what the compiled index is
/// held equal to; use it for single questions, and match/index/ for questions about a cluster.
namespace plimsoll::match {

/// Whether the toleration covers the taint: effect, then key, then what its operator says about the
/// two values, the taint's on the left: `Gt 5` wants a taint greater than 5. Anything that cannot
/// be read (a text that is no number, an operator that nobody knows) does not match.
bool Tolerates(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules);

/// The first toleration that covers the taint, or null.
const api::Toleration* FindToleration(std::span<const api::Toleration> tolerations,
                                      const api::Taint& taint, const Rules& rules);

/// Effects that keep a pod from being scheduled, and the one that removes a running pod.
bool BlocksScheduling(const api::Taint& taint);  // NoSchedule, NoExecute
bool Evicts(const api::Taint& taint);            // NoExecute

/// The first taint, among those that `counts` selects, that no toleration covers; null when all are
/// covered.
const api::Taint* FindUntolerated(std::span<const api::Taint> taints,
                                  std::span<const api::Toleration> tolerations, const Rules& rules,
                                  bool (*counts)(const api::Taint&) = BlocksScheduling);

/// For each taint the first toleration in list order that covers it, as eviction counts their
/// seconds; nothing when some taint is not covered.
std::optional<std::vector<const api::Toleration*>> MatchingTolerations(
    std::span<const api::Taint> taints, std::span<const api::Toleration> tolerations,
    const Rules& rules);

/// How many PreferNoSchedule taints no toleration covers: the lower, the better the node.
std::size_t CountIntolerablePreferred(std::span<const api::Taint> taints,
                                      std::span<const api::Toleration> tolerations,
                                      const Rules& rules);

}  // namespace plimsoll::match
