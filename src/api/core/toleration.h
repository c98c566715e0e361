#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "api/core/placement.h"

namespace plimsoll::api {

enum class TolerationOperator : std::uint8_t {
  Equal,
  Exists,
  Lt,
  Gt,
  SemverLt,
  SemverGt,
  SemverEq
};

/// Returns nothing for an unknown operator. Empty means Equal.
std::optional<TolerationOperator> ParseTolerationOperator(std::string_view text);
std::string_view ToText(TolerationOperator op);

bool IsNumeric(TolerationOperator op);  // Lt, Gt
bool IsSemver(TolerationOperator op);   // SemverLt, SemverGt, SemverEq

/// Returns true if any of the tolerations has an expression.
bool HasExpressions(std::span<const Toleration> tolerations);

/// Returns true if the tolerations are equal except for tolerationSeconds.
bool SameToleration(const Toleration& a, const Toleration& b);

}  // namespace plimsoll::api
