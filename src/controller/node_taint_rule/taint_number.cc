#include "controller/node_taint_rule/taint_number.h"

#include <cmath>

#include "base/decimal.h"
#include "base/syntax.h"

namespace plimsoll::controller {
namespace {

/// Every whole number up to here is exact as a double.
constexpr double kNumberMax = 1e15;

}  // namespace

std::optional<std::int64_t> RoundedToStep(double value, std::int64_t step) {
  if (!std::isfinite(value)) return std::nullopt;
  const double width = static_cast<double>(step);
  const double rounded = std::floor(value / width + 0.5) * width;
  if (rounded < 0 || rounded >= kNumberMax) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

std::optional<std::string> TaintValueOf(std::string_view text, std::int64_t step) {
  if (const std::optional<std::int64_t> number = DecimalValue(text)) {
    const auto rounded = RoundedToStep(static_cast<double>(*number), step);
    if (!rounded) return std::nullopt;
    return std::to_string(*rounded);
  }
  if (!CheckLabelValue(text).empty()) return std::nullopt;
  return std::string(text);
}

bool IsSmallChange(std::string_view before, std::string_view after, std::int64_t hysteresis) {
  const std::optional<std::int64_t> from = DecimalValue(before);
  const std::optional<std::int64_t> to = DecimalValue(after);
  if (!from || !to) return false;
  const auto distance = std::abs(static_cast<double>(*from) - static_cast<double>(*to));
  return distance < static_cast<double>(hysteresis);
}

}  // namespace plimsoll::controller
