#pragma once

#include "api/field_error.h"

namespace plimsoll::api {

/// Errors of the kinds of resource.k8s.io. Upstream has hand-written and declarative rules. Errors
/// of declarative rules come last, and only for parts that an update changed. For unchanged parts,
/// the equivalent hand-written rules report instead.
struct DeviceFindings {
  FieldErrors& coded;
  FieldErrors declared{};
  bool is_changed = true;  // for the part being checked

  /// Returns the list to which a declarative rule reports.
  FieldErrors& Declared() { return is_changed ? declared : coded; }
  void Finish() { coded.Append(declared); }
};

}  // namespace plimsoll::api
