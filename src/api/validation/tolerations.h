#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/core/toleration.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

inline constexpr std::size_t kExpressionBytesMax = 10 * 1024;

/// Returns the estimated total cost of all expressions; 0 without a checker. Does not overflow.
std::uint64_t CostOfExpressions(std::span<const Toleration> tolerations,
                                const ExpressionChecker* checker);

void ValidateTolerations(std::span<const Toleration> tolerations, const FieldPath& at,
                         const PodValidationOptions& options, FieldErrors& errors);

// Checks shared with the tolerations of devices.

/// Validates the operand of Lt, Gt and the Semver operators; ignores other operators.
void ValidateThreshold(TolerationOperator op, std::string_view value, const FieldPath& at,
                       FieldErrors& errors);

/// Validates a toleration with an expression. No other rule applies to such a toleration.
void ValidateTolerationExpression(const Toleration& toleration, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors);

/// Validates an update of a pod's tolerations. Every stored toleration must remain,
/// though its seconds may differ. Tolerations with an expression may be removed, whether
/// the gate is on or off, but not replaced by another expression. Then validates the new
/// list once more, as upstream does.
void ValidateOnlyAddedTolerations(std::span<const Toleration> now,
                                  std::span<const Toleration> before, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors);

}  // namespace plimsoll::api
