#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

/// The plain matcher for taints. It reads like the specification, and tests compare the index with
/// it. Use it for single queries, and match/index/ for queries about a cluster.
namespace plimsoll::match {

/// Returns true if the toleration tolerates the taint. Compares the effect, the key, and then the
/// values by the operator. The taint's value is on the left: `Gt 5` needs a taint greater than 5.
/// Unparsable values and unknown operators never match.
bool Tolerates(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules);

/// Returns the first toleration that tolerates the taint, or null.
const api::Toleration* FindToleration(std::span<const api::Toleration> tolerations,
                                      const api::Taint& taint, const Rules& rules);

/// Effects that keep a pod from being scheduled, and the effect that evicts a running pod.
bool BlocksScheduling(const api::Taint& taint);  // NoSchedule, NoExecute
bool Evicts(const api::Taint& taint);            // NoExecute

/// Returns the first taint for which `counts` returns true and that no toleration tolerates, or
/// null.
const api::Taint* FindUntolerated(std::span<const api::Taint> taints,
                                  std::span<const api::Toleration> tolerations, const Rules& rules,
                                  bool (*counts)(const api::Taint&) = BlocksScheduling);

/// Returns the number of PreferNoSchedule taints that are not tolerated. Fewer is better.
std::size_t CountIntolerablePreferred(std::span<const api::Taint> taints,
                                      std::span<const api::Toleration> tolerations,
                                      const Rules& rules);

}  // namespace plimsoll::match
