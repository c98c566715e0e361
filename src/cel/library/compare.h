#pragma once

#include <cstddef>
#include <span>

#include "cel/limits.h"
#include "cel/program.h"
#include "cel/value.h"

/// Comparisons of list elements. Errors are not reported: such a pair counts as unequal, and
/// as neither less nor greater.
namespace plimsoll::cel {

/// Returns true if values of this kind are ordered.
inline bool IsOrdered(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Bool:
    case ValueKind::Int:
    case ValueKind::Uint:
    case ValueKind::Double:
    case ValueKind::String:
    case ValueKind::Bytes:
    case ValueKind::Duration:
    case ValueKind::Timestamp:
      return true;
    default:
      return false;
  }
}

/// Returns true if a < b. REQUIRES: both have the same, ordered kind. NaN is never less.
bool IsLess(const Value& a, const Value& b);

/// Returns -1, 0 or 1; 0 also for a pair without an order.
int CompareOrdered(Evaluation& evaluation, const Value& a, const Value& b);

/// Returns true if `wanted` equals one of the elements.
bool Includes(Evaluation& evaluation, std::span<const Value> elements, const Value& wanted);

}  // namespace plimsoll::cel
