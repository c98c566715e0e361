#pragma once

#include <string_view>

#include "base/result.h"
#include "base/semver.h"
#include "base/syntax.h"

namespace plimsoll::api {

struct NodeSelectorRequirement;

/// Returns true if the operator is SemverGt, SemverLt or SemverEq.
bool ComparesVersions(const NodeSelectorRequirement& requirement);

/// The value of a node selector requirement with SemverGt, SemverLt or SemverEq. Validation in the
/// API server and the matcher in the scheduler both read it here, so that no operand is accepted
/// that cannot be compared later.
struct VersionOperand {
  Result<Semver> version;
  Faults label_faults;  // of the text as a label value, such as blanks or build metadata

  bool is_usable() const { return version.has_value() && label_faults.empty(); }
};

VersionOperand ParseVersionOperand(std::string_view text);

}  // namespace plimsoll::api
