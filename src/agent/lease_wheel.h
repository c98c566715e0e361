#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace plimsoll::agent {

/// Spreads what recurs evenly over its period: every member comes up once in each turn of the
/// wheel. Members of one spoke come up together, so that thousands of them cost few wake-ups.
class LeaseWheel {
 public:
  static constexpr std::size_t kSpokes = 50;  // 200 ms apart, of 10 s

  explicit LeaseWheel(Duration period) : step_(period / static_cast<std::int64_t>(kSpokes)) {}

  /// From then on; the first one not before a whole turn has passed.
  void Add(std::uint32_t member, Instant now);
  void Remove(std::uint32_t member);
  /// The members that have come up since the last time, once each.
  void Take(Instant now, std::vector<std::uint32_t>& out);
  std::optional<Instant> NextWake() const;

 private:
  /// Neighbours in number stand far apart, so that a few are as evenly spread as many.
  static std::size_t SpokeOf(std::uint32_t member) { return (member * 31U) % kSpokes; }

  Duration step_;
  std::vector<std::vector<std::uint32_t>> spokes_{kSpokes};
  std::size_t count_ = 0;
  std::size_t at_ = 0;  // the spoke that comes up next, then
  Instant when_;
};

}  // namespace plimsoll::agent
