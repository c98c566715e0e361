#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// Compares the cost of an input with that of one four times as long. Two doublings, because the
/// block sizes of arenas and tables make the cost of a single one uneven.
namespace plimsoll::linear {

/// Creates an input of `size` items, and returns the function to be measured.
using Make = std::function<std::function<void()>(std::size_t size)>;

struct Input {
  std::string_view name;
  std::size_t size;  // of the smaller input
  Make make;
};

/// Maximum factor of the cost per doubling: two, plus a margin for logarithms and caches.
inline constexpr double kRatioMax = 2 * 1.3;

struct Growth {
  double work = 0;          // per doubling: instructions, or CPU time if they cannot be counted
  double memory = 0;        // per doubling: allocated bytes; 0 if the larger input allocates little
  double milliseconds = 0;  // of the larger input
  std::uint64_t bytes = 0;  // of the larger input
  /// True if the larger input costs enough. Otherwise the row needs more items.
  bool is_measurable = false;

  bool is_linear() const { return work <= kRatioMax && memory <= kRatioMax; }
};

Growth Measure(const Input& input);
std::size_t LargerSize(const Input& input);

}  // namespace plimsoll::linear
