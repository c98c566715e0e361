#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace plimsoll {

/// Pseudo-random numbers that depend on the seed alone, on every machine and with every compiler.
/// The standard's distributions do not guarantee that. xoshiro256**: small, fast, not for
/// secrets. Not safe for use by several threads. Satisfies UniformRandomBitGenerator.
class Random {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the standard's name.
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed);

  std::uint64_t Next();

  /// Returns a uniform number from 0 to `bound` - 1. REQUIRES: `bound` is not zero.
  std::uint64_t Below(std::uint64_t bound);
  /// Returns a uniform number from `low` to `high`, both included.
  std::int64_t Between(std::int64_t low, std::int64_t high);
  /// Returns a number from 0 to below 1.
  double Unit();
  /// Returns true with this probability: never at 0, always at 1.
  bool Chance(double probability) { return Unit() < probability; }
  /// Returns a random item. REQUIRES: `items` is not empty.
  template <class T>
  T& Pick(std::span<T> items) {
    return items[Below(items.size())];
  }
  template <class T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }
  /// Returns an independent stream: drawing from one does not change the other. So each part of a
  /// simulation can have its own.
  Random Fork() { return Random(Next()); }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return Next(); }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// Returns a seed from the system's random source, for a program that must not repeat itself.
std::uint64_t UnpredictableSeed();

}  // namespace plimsoll
