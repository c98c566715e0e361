#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "base/time.h"
#include "match/rules.h"

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

struct StayRules {
  match::Rules match;
  /// What `tolerationSeconds` of a threshold (Lt, Gt and those for versions) mean. On: within the
  /// threshold the pod stays for ever, and when the value crosses it the pod has that long. Off,
  /// as upstream has it: they limit the stay within the threshold, and crossing it ends it.
  bool threshold_grace = true;
};

/// Whether it compares values: Lt, Gt and those for versions.
bool IsThreshold(const api::Toleration& toleration);
/// Whether it is a threshold for this taint that promises time to a pod when it is crossed.
bool GivesGrace(const api::Toleration& toleration, const api::Taint& taint,
                const match::Rules& rules);

/// For each taint the first toleration that covers it counts, in the order of the list.
/// `tolerationSeconds` of zero and below are no time at all; more than a Duration can hold are for
/// ever. All taints must be NoExecute.
Stay DecideStay(std::span<const api::Taint> taints, std::span<const api::Toleration> tolerations,
                const StayRules& rules);

}  // namespace plimsoll::controller
