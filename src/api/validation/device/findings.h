#pragma once

#include "api/field_error.h"

namespace plimsoll::api {

/// What upstream finds of the kinds of resource.k8s.io. Some of its rules are code, others are
/// declared at the fields. Declared ones report behind all code, and only of what an update has
/// changed; where they are silent, the code that they stand for is heard.
struct DeviceFindings {
  FieldErrors& coded;
  FieldErrors declared{};
  bool is_changed = true;  // the part that is being looked at

  /// Where a rule that is declared reports.
  FieldErrors& Declared() { return is_changed ? declared : coded; }
  void Finish() { coded.Append(declared); }
};

}  // namespace plimsoll::api
