#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "match/rules.h"

/// Distances between the values of taints and the thresholds of tolerations, for people and
/// metrics. Decisions are made by `Tolerates` alone.
namespace plimsoll::match {

/// Distance of a value to a threshold.
struct LineDistance {
  bool is_inside = false;  // the toleration tolerates the value
  bool is_near = false;    // it does, and the threshold is within 10 % of itself, or one step away
  double share = 0;        // distance as a share of the threshold; negative beyond it
  std::string text;        // `2`, `-1`; for versions `1 minor`, `-2 patch`, or `equal`
};

/// Returns the distance of the value to the threshold, or nothing if the toleration has none, or if
/// one of them cannot be parsed. For versions, near means that only patch or pre-release differ.
std::optional<LineDistance> DistanceToLine(const api::Toleration& toleration,
                                           std::string_view value);

/// Compares two values of a taint as numbers, else as versions, else as texts. Numbers come first.
/// Returns a negative number, 0 or a positive number.
int CompareValues(std::string_view a, std::string_view b);

/// The next values of a taint that no toleration of a pod tolerates any more, in both directions.
struct Crossings {
  std::optional<std::string> up;
  std::optional<std::string> down;
};
/// Returns the crossings at thresholds of the tolerations. Finds none at other operators and
/// expressions, and none if the taint is not tolerated now.
Crossings FindCrossings(const api::Taint& taint, std::span<const api::Toleration> tolerations,
                        const Rules& rules);

/// Returns true if the toleration is about taints with the key and effect of this one.
bool Concerns(const api::Toleration& toleration, const api::Taint& taint);

}  // namespace plimsoll::match
