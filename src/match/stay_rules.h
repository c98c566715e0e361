#pragma once

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

/// How `tolerationSeconds` are read, for nodes and devices alike.
namespace plimsoll::match {

struct StayRules {
  Rules match;
  /// Meaning of `tolerationSeconds` of a threshold (Lt, Gt and those for versions). On: within the
  /// threshold the pod stays for ever, and when the value crosses it the pod has that long. Off,
  /// as upstream has it: they limit the stay within the threshold, and crossing it ends it.
  bool threshold_grace = true;
};

/// Whether it compares values: Lt, Gt and those for versions.
bool IsThreshold(const api::Toleration& toleration);
/// Whether it is a threshold for this taint that promises time to a pod when it is crossed.
bool GivesGrace(const api::Toleration& toleration, const api::Taint& taint, const Rules& rules);

}  // namespace plimsoll::match
