#pragma once

#include <cstdint>
#include <string_view>

#include "api/core/taint.h"
#include "api/feature_gates.h"
#include "base/result.h"

namespace plimsoll::match {

/// Where `expression` plugs in: whoever can evaluate CEL over a taint. Pure and safe for use by
/// many threads.
class ExpressionEvaluator {
 public:
  virtual ~ExpressionEvaluator() = default;

  /// Whether the expression holds for the taint. An error (it does not compile, it failed at run
  /// time, it gave no boolean) means that the toleration does not match, and why.
  virtual Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const = 0;

  /// The same, and adds the cost of the evaluation, in CEL's units, to `cost`.
  virtual Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                                       std::uint64_t& cost) const {
    ++cost;
    return Evaluate(expression, taint);
  }
};

/// Which operators take part in matching. An operator whose gate is off never matches (D4, D20).
struct Rules {
  bool comparison = true;                          // Lt, Gt
  bool semver = true;                              // SemverLt, SemverGt, SemverEq
  const ExpressionEvaluator* evaluator = nullptr;  // null: the gate is off, or nobody evaluates

  static Rules From(const api::FeatureGates& gates, const ExpressionEvaluator* evaluator);
};

}  // namespace plimsoll::match
