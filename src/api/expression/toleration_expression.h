#pragma once

#include <optional>
#include <string_view>

#include "api/core/taint.h"
#include "api/validation/context.h"
#include "base/once_cache.h"
#include "base/result.h"
#include "cel/cache.h"

namespace plimsoll::api {

/// What is wrong with an expression that must answer yes or no: nothing when it compiles to a
/// boolean, or to dyn, and cannot cost more than cel::kCostLimit. Messages are upstream's for
/// selectors of devices.
std::optional<ExpressionFault> FaultOf(const cel::Compilation& compiled);

/// The expressions of tolerations: each text is compiled once, and kept while it is used. Safe for
/// use by many threads; one serves a whole component.
class TolerationExpressions final : public ExpressionChecker {
 public:
  explicit TolerationExpressions(CacheLimits limits = {});

  /// See FaultOf.
  std::optional<ExpressionFault> Check(std::string_view expression) const override;
  std::uint64_t CostMax(std::string_view expression) const override;

  /// Whether the expression holds for the taint. Invalid: why it does not compile, failed at run
  /// time, or gave no boolean. Adds the cost of the evaluation to `cost` unless that is null.
  Result<bool> Evaluate(std::string_view expression, const Taint& taint,
                        std::uint64_t* cost = nullptr) const;

  CacheCounters counters() const { return cache_.counters(); }

 private:
  mutable cel::ProgramCache cache_;
};

}  // namespace plimsoll::api
