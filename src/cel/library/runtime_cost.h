#pragma once

#include <cstdint>
#include <span>

#include "cel/cost.h"
#include "cel/value.h"

/// The sizes that run-time costs are made of, and the costs that several functions share. Arguments
/// may be errors or of kinds that the function refused: those count as size 1.
namespace plimsoll::cel {

/// Code points, bytes, elements, entries; the bytes of an address; what an optional holds; 1 for
/// what has no size.
std::uint64_t ActualSize(const Value& value);

/// The smaller of two sizes.
std::uint64_t ShorterSize(const Value& a, const Value& b);

/// One walk over everything inside: a tenth of the bytes of a text, rounded down, 1 for a scalar.
std::uint64_t TraversalCost(const Value& value);

/// ceil(size * factor)
std::uint64_t ScaledCost(std::uint64_t size, double factor);
inline std::uint64_t SizeCost(std::uint64_t size, double factor) {
  // For a tenth, on the path of every comparison, whole numbers do: 0.1 is off by 2^-54 of itself,
  // so that a tenth of a multiple of ten is always rounded to what it should be.
  constexpr std::uint64_t kDoubleExactEnd = std::uint64_t{1} << 53;
  if (factor == kTextCost && size < kDoubleExactEnd) return (size + 9) / 10;
  return ScaledCost(size, factor);
}

/// Rounded down, 2^63 at most.
std::uint64_t FloorCost(double cost);

/// Both texts are read together: the subject, one longer than it is, times the pattern.
std::uint64_t RegexCost(const Value& subject, const Value& pattern);

// For tables of costs.
std::uint64_t CostOne(std::span<const Value> arguments, Value result);
/// Reading the first argument once, or twice.
std::uint64_t CostOfReading(std::span<const Value> arguments, Value result);
std::uint64_t CostOfReadingTwice(std::span<const Value> arguments, Value result);
std::uint64_t CostOfTraversal(std::span<const Value> arguments, Value result);
std::uint64_t CostOfMatching(std::span<const Value> arguments, Value result);

}  // namespace plimsoll::cel
