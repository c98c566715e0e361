#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "base/time.h"
#include "match/stay_rules.h"

namespace plimsoll::controller {

/// How long a pod may stay under the NoExecute taints of a node, as far as its tolerations say it.
/// When the taints were added is another matter: nodes with equal taints share this.
struct Stay {
  /// A taint that is borne for a while only.
  struct Limit {
    std::uint32_t taint = 0;  // its place among the taints
    Duration time{};
    std::string why;  // names the taint and the toleration
  };

  std::vector<Limit> limits;  // in the order of the taints; none: for ever
  std::string refusal;        // why the pod must go at once; empty when every taint is tolerated

  bool is_refused() const { return !refusal.empty(); }
  bool is_for_ever() const { return refusal.empty() && limits.empty(); }
};

/// For each taint the first toleration that covers it counts, in the order of the list.
/// `tolerationSeconds` of zero and below are no time at all; more than a Duration can hold are for
/// ever. All taints must be NoExecute.
Stay DecideStay(std::span<const api::Taint> taints, std::span<const api::Toleration> tolerations,
                const match::StayRules& rules);

}  // namespace plimsoll::controller
