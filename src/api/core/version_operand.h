#pragma once

#include <string_view>

#include "base/result.h"
#include "base/semver.h"
#include "base/syntax.h"

namespace plimsoll::api {

struct NodeSelectorRequirement;

/// Returns true if the operator is SemverGt, SemverLt or SemverEq.
bool ComparesVersions(const NodeSelectorRequirement& requirement);

/// Parsed value of a node selector requirement with SemverGt, SemverLt or SemverEq. The API
/// server's validation and the scheduler's matcher share it, so that validation accepts no operand
/// that the matcher cannot compare.
struct VersionOperand {
  Result<Semver> version;
  Faults label_faults;  // faults of the text as a label value, such as blanks or build metadata

  bool is_usable() const { return version.has_value() && label_faults.empty(); }
};

VersionOperand ParseVersionOperand(std::string_view text);

}  // namespace plimsoll::api
