#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/core/toleration.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

inline constexpr std::size_t kExpressionBytesMax = 10 * 1024;

/// The estimated cost of all expressions together; 0 without a checker. Does not overflow.
std::uint64_t CostOfExpressions(std::span<const Toleration> tolerations,
                                const ExpressionChecker* checker);

void ValidateTolerations(std::span<const Toleration> tolerations, const FieldPath& at,
                         const PodValidationOptions& options, FieldErrors& errors);

// Parts that the tolerations of devices share.

/// The number or the version that Lt, Gt and their like compare with; nothing of other operators.
void ValidateThreshold(TolerationOperator op, std::string_view value, const FieldPath& at,
                       FieldErrors& errors);

/// An expression says all by itself, so none of the other rules applies to its toleration.
void ValidateTolerationExpression(const Toleration& toleration, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors);

/// A pod that runs may come to tolerate more, never less: every former toleration must still be
/// there, though its seconds may differ. Tolerations with an expression are the exception: they may
/// be removed, whether their gate is on or off, but not replaced by another expression. Then the
/// new list is validated once more, as upstream does.
void ValidateOnlyAddedTolerations(std::span<const Toleration> now,
                                  std::span<const Toleration> before, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors);

}  // namespace plimsoll::api
