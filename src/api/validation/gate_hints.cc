#include "api/validation/gate_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/core/toleration.h"

namespace plimsoll::api {
namespace {

std::string_view NameOf(Feature feature) {
  const auto found = std::ranges::find(FeatureGates::All(), feature, &FeatureSpec::feature);
  return found == FeatureGates::All().end() ? std::string_view() : found->name;
}

/// Returns the gate of an operator, if it has one.
std::optional<Feature> GateOf(std::string_view field, std::string_view op) {
  const std::optional<TolerationOperator> known = ParseTolerationOperator(op);
  if (!known) return std::nullopt;
  if (IsSemver(*known)) return Feature::TaintTolerationNodeAffinitySemverComparisonOperators;
  // Node affinity has Gt and Lt without a gate.
  if (IsNumeric(*known) && field.contains("tolerations[")) {
    return Feature::TaintTolerationComparisonOperators;
  }
  return std::nullopt;
}

std::string_view Unquoted(std::string_view json) {
  if (json.size() < 2 || json.front() != '"' || json.back() != '"') return {};
  return json.substr(1, json.size() - 2);
}

}  // namespace

std::string GateHint(const FieldError& error, const FeatureGates& gates) {
  // matchFields does not support comparison operators.
  if (!error.field.ends_with(".operator") || error.field.contains("matchFields[")) return {};
  const std::string_view op = Unquoted(error.bad_value.json());
  const std::optional<Feature> gate = GateOf(error.field, op);
  if (!gate || gates.Enabled(*gate)) return {};
  return fmt::format("{}: operator {} needs the feature gate {}, which is off", error.field, op,
                     NameOf(*gate));
}

std::vector<std::string> GateHints(const FieldErrors& errors, const FeatureGates& gates) {
  std::vector<std::string> hints;
  for (const FieldError& error : errors.list()) {
    if (std::string hint = GateHint(error, gates); !hint.empty()) hints.push_back(std::move(hint));
  }
  return hints;
}

}  // namespace plimsoll::api
