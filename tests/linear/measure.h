#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// Compares the cost of an input with the cost of one that is four times as long: two doublings,
/// because the blocks in which arenas and tables grow make the cost of a single one uneven.
namespace plimsoll::linear {

/// Makes an input of `size` items, beforehand, and returns what is to be measured.
using Make = std::function<std::function<void()>(std::size_t size)>;

struct Input {
  std::string_view name;
  std::size_t size;  // of the smaller one
  Make make;
};

/// Each doubling may multiply the cost by so much: two, and a bit for logarithms and caches.
inline constexpr double kRatioMax = 2 * 1.3;

struct Growth {
  double work = 0;          // per doubling: instructions, or CPU time where those cannot be counted
  double memory = 0;        // per doubling: allocated bytes; 0 when the larger one allocates little
  double milliseconds = 0;  // of the larger one
  std::uint64_t bytes = 0;  // of the larger one
  /// Whether the larger one costs enough. A row that does not needs more items.
  bool is_measurable = false;

  bool is_linear() const { return work <= kRatioMax && memory <= kRatioMax; }
};

Growth Measure(const Input& input);
std::size_t LargerSize(const Input& input);

}  // namespace plimsoll::linear
