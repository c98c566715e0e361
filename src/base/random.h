#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace plimsoll {

/// Numbers that look random and follow from the seed alone, on every machine and with every
/// compiler (the standard's distributions promise no such thing). xoshiro256**: small, fast, good
/// enough for anything but secrets. One thread at a time. It is a UniformRandomBitGenerator.
class Random {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): the standard's name.
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed);

  std::uint64_t Next();

  /// From 0 to below `bound`, each as likely. The bound must not be zero.
  std::uint64_t Below(std::uint64_t bound);
  /// From `low` to `high`, both included.
  std::int64_t Between(std::int64_t low, std::int64_t high);
  /// From 0 to below 1.
  double Unit();
  /// True with that probability: never at 0, always at 1.
  bool Chance(double probability) { return Unit() < probability; }
  /// One of the items, of which there must be some.
  template <class T>
  T& Pick(std::span<T> items) {
    return items[Below(items.size())];
  }
  template <class T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }
  /// Another stream of numbers. What is later taken from the one does not change the other, so
  /// each part of a simulation can have its own.
  Random Fork() { return Random(Next()); }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return Next(); }

 private:
  std::array<std::uint64_t, 4> state_;
};

/// A seed that nobody can foresee, for a program that shall not repeat itself.
std::uint64_t UnpredictableSeed();

}  // namespace plimsoll
