#pragma once

#include <cstddef>
#include <span>

#include "cel/program.h"
#include "cel/value.h"

/// Comparisons inside lists. An error of one pair never shows: the pair is then unequal, and
/// neither less nor greater.
namespace plimsoll::cel {

/// More pairs than this are not compared: the call has by far exceeded every limit of cost.
inline constexpr std::size_t kComparisonsMax = 1 << 23;

/// Whether there is an order among values of this kind.
bool IsOrdered(const Value& value);

/// Of two values of the same kind that has an order. NaN is less than nothing.
bool IsLess(const Value& a, const Value& b);

/// -1, 0 or 1, and 0 as well for a pair without order.
int CompareOrdered(Evaluation& evaluation, const Value& a, const Value& b);

/// Whether `wanted` equals one of the elements.
bool Includes(Evaluation& evaluation, std::span<const Value> elements, const Value& wanted);

}  // namespace plimsoll::cel
