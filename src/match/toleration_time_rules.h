#pragma once

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

/// Meaning of `tolerationSeconds`, for node taints and device taints.
namespace plimsoll::match {

struct TolerationTimeRules {
  Rules match;
  /// Meaning of `tolerationSeconds` with Lt, Gt or a Semver operator. True: the pod stays while the
  /// value is within the threshold, and has this long after the value crosses it. False (upstream):
  /// the pod has this long within the threshold, and is evicted at once when the value crosses it.
  bool threshold_grace = true;
};

/// Returns true if the toleration compares values: Lt, Gt, and the Semver operators.
bool IsThreshold(const api::Toleration& toleration);
/// Returns true if a pod has `tolerationSeconds` left once this taint crosses the threshold.
bool GivesGrace(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules);

}  // namespace plimsoll::match
