#pragma once

#include <optional>
#include <span>
#include <string>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

namespace plimsoll::cli {

/// Returns `risk Lt 5:NoExecute`, `risk Exists`, `any key Exists`, `expression int(taint.value) <
/// 5`. Names the operator, also if it is the default.
std::string TolerationText(const api::Toleration& toleration);

/// Returns how far the value is inside the threshold of Lt or Gt: 2 for `Lt 5` and the value 3.
/// Negative outside of it. Empty for other operators, and for texts that are no integers.
std::string MarginOf(const api::Toleration& toleration, std::string_view taint_value);

/// Returns true if a margin says that the value is not inside the threshold: 0 or negative.
bool IsOutside(std::string_view margin);

/// The toleration that tolerates a taint.
struct Tolerance {
  const api::Toleration* toleration = nullptr;
  std::string text;    // TolerationText
  std::string margin;  // MarginOf
};
/// Returns the first toleration that tolerates the taint.
std::optional<Tolerance> FindTolerance(const api::Taint& taint,
                                       std::span<const api::Toleration> tolerations,
                                       const match::Rules& rules);

}  // namespace plimsoll::cli
