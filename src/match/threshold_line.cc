#include "match/threshold_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/decimal.h"
#include "base/semver.h"
#include "match/toleration.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::match {
namespace {

using api::TolerationOperator;

/// Part of its own value at which a threshold counts as near.
constexpr double kNearShare = 0.1;
/// Shares of versions: they only order distances, since versions have no percentages.
constexpr std::array<double, 4> kPartShares = {1, 0.2, 0.02, 0.01};
constexpr std::array<std::string_view, 4> kParts = {"major", "minor", "patch", "pre-release"};

std::string DifferenceText(std::int64_t more, std::int64_t less) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(more, less, &difference)) return std::to_string(difference);
  return more > less ? ">" + std::to_string(INT64_MAX) : "<" + std::to_string(INT64_MIN);
}

std::optional<LineDistance> NumericDistance(TolerationOperator op, std::string_view line_text,
                                            std::string_view value_text) {
  const auto line = DecimalValue(line_text);
  const auto value = DecimalValue(value_text);
  if (!line || !value) return std::nullopt;
  const std::int64_t more = op == TolerationOperator::Lt ? *line : *value;
  const std::int64_t less = op == TolerationOperator::Lt ? *value : *line;
  LineDistance distance;
  distance.text = DifferenceText(more, less);
  const double difference = static_cast<double>(more) - static_cast<double>(less);
  distance.share = difference / std::max(std::abs(static_cast<double>(*line)), 1.0);
  distance.is_inside = more > less;
  const bool is_one_step = more > less && more - 1 == less;
  distance.is_near = distance.is_inside && (is_one_step || distance.share <= kNearShare);
  return distance;
}

/// Returns the first part in which the versions differ, and by how much; 0 for a pre-release.
std::pair<std::size_t, std::string> FirstDifference(const Semver& more, const Semver& less) {
  const std::array<std::pair<std::uint64_t, std::uint64_t>, 3> parts = {
      {{more.major, less.major}, {more.minor, less.minor}, {more.patch, less.patch}}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [a, b] = parts[i];
    if (a != b) return {i, a > b ? std::to_string(a - b) : "-" + std::to_string(b - a)};
  }
  return {3, Compare(more, less) < 0 ? "-1" : "1"};
}

std::optional<LineDistance> VersionDistance(TolerationOperator op, std::string_view line_text,
                                            std::string_view value_text) {
  const Result<Semver> line = ParseSemverTolerant(line_text);
  const Result<Semver> value = ParseSemverTolerant(value_text);
  if (!line || !value) return std::nullopt;
  const std::weak_ordering order =
      op == TolerationOperator::SemverLt ? Compare(*line, *value) : Compare(*value, *line);
  LineDistance distance;
  if (order == 0) {
    distance.text = "equal";
    distance.is_inside = op == TolerationOperator::SemverEq;
    // A version that must stay as it is has no line that it approaches.
    distance.share = distance.is_inside ? kPartShares[0] : 0;
    return distance;
  }
  const auto [part, amount] = op == TolerationOperator::SemverLt ? FirstDifference(*line, *value)
                                                                 : FirstDifference(*value, *line);
  distance.text = amount + " " + std::string(kParts[part]);
  distance.is_inside = order > 0 && op != TolerationOperator::SemverEq;
  distance.share = distance.is_inside ? kPartShares[part] : -kPartShares[part];
  distance.is_near = distance.is_inside && part >= 2;
  return distance;
}

/// Lt and SemverLt have their line above the tolerated values, Gt and SemverGt below.
bool IsUpper(TolerationOperator op) {
  return op == TolerationOperator::Lt || op == TolerationOperator::SemverLt;
}

/// Returns the first of the lines at which no toleration tolerates the taint.
std::optional<std::string> FirstRefused(const std::vector<std::string_view>& lines,
                                        api::Taint taint,
                                        std::span<const api::Toleration> tolerations,
                                        const Rules& rules) {
  for (const std::string_view line : lines) {
    taint.value = line;
    if (FindToleration(tolerations, taint, rules) == nullptr) return std::string(line);
  }
  return std::nullopt;
}

}  // namespace

std::optional<LineDistance> DistanceToLine(const api::Toleration& toleration,
                                           std::string_view value) {
  if (!IsThreshold(toleration)) return std::nullopt;
  const TolerationOperator op = *api::ParseTolerationOperator(toleration.op);
  return api::IsNumeric(op) ? NumericDistance(op, toleration.value, value)
                            : VersionDistance(op, toleration.value, value);
}

int CompareValues(std::string_view a, std::string_view b) {
  const auto sign = [](auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  const auto left = DecimalValue(a);
  const auto right = DecimalValue(b);
  if (left && right) return sign(*left <=> *right);
  if (left || right) return left ? -1 : 1;
  const Result<Semver> old_version = ParseSemverTolerant(a);
  const Result<Semver> new_version = ParseSemverTolerant(b);
  if (old_version && new_version) {
    const std::weak_ordering order = Compare(*old_version, *new_version);
    if (order != 0) return sign(order);
  } else if (old_version || new_version) {
    return old_version ? -1 : 1;
  }
  return sign(a <=> b);
}

Crossings FindCrossings(const api::Taint& taint, std::span<const api::Toleration> tolerations,
                        const Rules& rules) {
  if (FindToleration(tolerations, taint, rules) == nullptr) return {};
  std::vector<std::string_view> above;
  std::vector<std::string_view> below;
  for (const api::Toleration& toleration : tolerations) {
    if (!Concerns(toleration, taint)) continue;
    const auto distance = DistanceToLine(toleration, taint.value);
    if (!distance) continue;
    const TolerationOperator op = *api::ParseTolerationOperator(toleration.op);
    if (!distance->is_inside || op == TolerationOperator::SemverEq) continue;
    (IsUpper(op) ? above : below).push_back(toleration.value);
  }
  std::ranges::sort(above, [](auto a, auto b) { return CompareValues(a, b) < 0; });
  std::ranges::sort(below, [](auto a, auto b) { return CompareValues(a, b) > 0; });
  return {FirstRefused(above, taint, tolerations, rules),
          FirstRefused(below, taint, tolerations, rules)};
}

bool Concerns(const api::Toleration& toleration, const api::Taint& taint) {
  return toleration.expression.empty() &&
         (toleration.effect.empty() || toleration.effect == taint.effect) &&
         (toleration.key.empty() || toleration.key == taint.key);
}

}  // namespace plimsoll::match
