#pragma once

#include <cstdint>
#include <string_view>

#include "api/core/taint.h"
#include "api/feature_gates.h"
#include "base/result.h"

namespace plimsoll::match {

/// Evaluates CEL expressions of tolerations over a taint. Implementations are pure and safe for use
/// by many threads.
class ExpressionEvaluator {
 public:
  virtual ~ExpressionEvaluator() = default;

  /// Returns true if the expression holds for the taint. On an error (it does not compile, fails at
  /// run time, or is not boolean) the toleration does not match.
  virtual Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const = 0;

  /// Same as above, and adds the cost of the evaluation, in CEL cost units, to `cost`.
  virtual Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                                       std::uint64_t& cost) const {
    ++cost;
    return Evaluate(expression, taint);
  }
};

/// Operators that are enabled. An operator whose gate is off never matches (D4, D20).
struct Rules {
  bool comparison = true;                          // Lt, Gt
  bool semver = true;                              // SemverLt, SemverGt, SemverEq
  const ExpressionEvaluator* evaluator = nullptr;  // null: expressions never match

  static Rules From(const api::FeatureGates& gates, const ExpressionEvaluator* evaluator);
};

}  // namespace plimsoll::match
