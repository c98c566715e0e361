#pragma once

#include <cstdint>
#include <span>

#include "cel/cost.h"
#include "cel/value.h"

/// Sizes for run-time costs, and costs that several functions share. Arguments that are errors, or
/// of kinds that the function rejects, have size 1.
namespace plimsoll::cel {

/// Returns code points, bytes, elements or entries, the bytes of an address, and 1 for a value
/// without a size. An optional has none. The functions of libraries count so.
std::uint64_t ActualSize(const Value& value);

/// Same as ActualSize, but an optional is as large as the value that it holds. The functions of the
/// standard library count so.
std::uint64_t HeldSize(const Value& value);

/// Returns the smaller of two sizes, as HeldSize has them.
std::uint64_t ShorterSize(const Value& a, const Value& b);

/// Cost of visiting a value and its elements: bytes / 10 for a text, 1 for a scalar.
std::uint64_t TraversalCost(const Value& value);

/// Returns ceil(size * factor).
std::uint64_t ScaledCost(std::uint64_t size, double factor);
inline std::uint64_t SizeCost(std::uint64_t size, double factor) {
  // Integers suffice for a tenth, the common case. The relative error of 0.1 is 2^-54, so a tenth
  // of a multiple of ten is always rounded to the exact result.
  constexpr std::uint64_t kDoubleExactEnd = std::uint64_t{1} << 53;
  if (factor == kTextCost && size < kDoubleExactEnd) return (size + 9) / 10;
  return ScaledCost(size, factor);
}

/// Rounds down, to at most 2^63.
std::uint64_t FloorCost(double cost);

/// Returns the cost of matching, from the sizes of the texts: the subject's plus one, times the
/// pattern's.
std::uint64_t RegexCost(std::uint64_t subject, std::uint64_t pattern);

// For cost tables.
/// Cost of reading the first argument once, or twice.
std::uint64_t CostOfReading(std::span<const Value> arguments, Value result);
std::uint64_t CostOfReadingTwice(std::span<const Value> arguments, Value result);
std::uint64_t CostOfTraversal(std::span<const Value> arguments, Value result);
std::uint64_t CostOfMatching(std::span<const Value> arguments, Value result);
/// Same as CostOfReading and CostOfMatching, with the sizes of the standard library.
std::uint64_t CostOfReadingHeld(std::span<const Value> arguments, Value result);
std::uint64_t CostOfMatchingHeld(std::span<const Value> arguments, Value result);

}  // namespace plimsoll::cel
