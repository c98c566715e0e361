#include "match/rules.h"

namespace plimsoll::match {

Rules Rules::From(const api::FeatureGates& gates, const ExpressionEvaluator* evaluator) {
  using api::Feature;
  return {
      .comparison = gates.Enabled(Feature::TaintTolerationComparisonOperators),
      .semver = gates.Enabled(Feature::TaintTolerationNodeAffinitySemverComparisonOperators),
      .evaluator = gates.Enabled(Feature::TaintTolerationCEL) ? evaluator : nullptr,
  };
}

}  // namespace plimsoll::match
