#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "base/time.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::controller {

/// Time that a pod's tolerations allow it to stay under a node's NoExecute taints. It does not
/// depend on when the taints were added, so that nodes with equal taints share it.
struct Stay {
  /// A taint that is tolerated for a limited time.
  struct Limit {
    std::uint32_t taint = 0;  // index of the taint
    Duration time{};
    std::string why;  // names the taint and the toleration
  };

  std::vector<Limit> limits;  // in the order of the taints; empty: unlimited
  std::string refusal;        // why the pod must be evicted at once; empty: all tolerated
  std::uint32_t refused = 0;  // index of the taint of the refusal

  bool is_refused() const { return !refusal.empty(); }
  bool is_for_ever() const { return refusal.empty() && limits.empty(); }
};

/// For each taint, the first matching toleration counts. `tolerationSeconds` of 0 or less
/// mean no time; values beyond a Duration mean unlimited. REQUIRES: all taints are
/// NoExecute.
Stay DecideStay(std::span<const api::Taint> taints, std::span<const api::Toleration> tolerations,
                const match::TolerationTimeRules& rules);

}  // namespace plimsoll::controller
