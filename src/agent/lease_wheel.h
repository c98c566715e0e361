#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace plimsoll::agent {

/// Timer wheel that spreads recurring work evenly over a period. Every member is due once per turn.
/// Members of one spoke are due together, so that thousands need few wake-ups.
class LeaseWheel {
 public:
  static constexpr std::size_t kSpokes = 50;  // 200 ms apart for a period of 10 s

  explicit LeaseWheel(Duration period) : step_(period / static_cast<std::int64_t>(kSpokes)) {}

  /// Adds a member. The first member is due after a whole turn, later ones within a turn.
  void Add(std::uint32_t member, Instant now);
  void Remove(std::uint32_t member);
  /// Adds the members that have become due since the last call to `out`, once each.
  void TakeDue(Instant now, std::vector<std::uint32_t>& out);
  std::optional<Instant> NextWake() const;

 private:
  /// Spreads consecutive numbers, so that a few members are as evenly spread as many.
  static std::size_t SpokeOf(std::uint32_t member) { return (member * 31U) % kSpokes; }

  Duration step_;
  std::vector<std::vector<std::uint32_t>> spokes_{kSpokes};
  std::size_t count_ = 0;
  std::size_t at_ = 0;  // next spoke, due at when_
  Instant when_;
};

}  // namespace plimsoll::agent
