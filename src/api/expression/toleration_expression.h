#pragma once

#include <optional>
#include <string_view>

#include "api/core/taint.h"
#include "api/validation/context.h"
#include "base/once_cache.h"
#include "base/result.h"
#include "cel/cache.h"

namespace plimsoll::api {

/// Checks a compiled expression that must return a boolean. Returns nothing if it
/// compiles to bool or dyn and its cost is at most cel::kCostLimit. Messages are
/// upstream's for device selectors.
std::optional<ExpressionFault> FaultOf(const cel::Compilation& compiled);

/// Compiles toleration expressions and caches the programs by text. Safe for use by many threads;
/// one instance serves a whole component.
class TolerationExpressions final : public ExpressionChecker {
 public:
  explicit TolerationExpressions(CacheLimits limits = {});

  /// See FaultOf.
  std::optional<ExpressionFault> Check(std::string_view expression) const override;
  std::uint64_t CostMax(std::string_view expression) const override;

  /// Evaluates the expression for the taint. Invalid if it does not compile, fails at run time, or
  /// returns no boolean. Adds the cost of the evaluation to `cost` unless that is null.
  Result<bool> Evaluate(std::string_view expression, const Taint& taint,
                        std::uint64_t* cost = nullptr) const;

  CacheCounters counters() const { return cache_.counters(); }

 private:
  mutable cel::ProgramCache cache_;
};

}  // namespace plimsoll::api
