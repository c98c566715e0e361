#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

/// Compares the cost of an input with the cost of one that is twice as long.
namespace plimsoll::linear {

/// Makes an input of `size` items, beforehand, and returns what is to be measured.
using Make = std::function<std::function<void()>(std::size_t size)>;

struct Input {
  std::string_view name;
  std::size_t size;  // the larger one has twice as many items
  Make make;
};

/// The larger input may cost so many times as much: twice, and a bit for logarithms and caches.
inline constexpr double kRatioMax = 2 * 1.3;

struct Growth {
  double work = 0;          // ratio of instructions, or of CPU time where those cannot be counted
  double memory = 0;        // ratio of allocated bytes
  double milliseconds = 0;  // of the larger one
  std::uint64_t bytes = 0;  // of the larger one

  bool is_linear() const { return work <= kRatioMax && memory <= kRatioMax; }
};

/// Each measurement is the best of several, so that other programs disturb it little. One that
/// looks worse than linear is made again a few times.
Growth Measure(const Input& input);

}  // namespace plimsoll::linear
