#include "controller/device_taint_eviction/eviction_time.h"

#include <algorithm>
#include <cstdint>

#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

/// Wraps around, as the product does in Go.
Duration TimeOf(std::int64_t seconds) {
  constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
  return Duration(
      static_cast<std::int64_t>(static_cast<std::uint64_t>(seconds) * kNanosecondsPerSecond));
}

Instant Later(Instant start, Duration time) {
  if (time > Duration::zero() && start > Instant::max() - time) return Instant::max();
  if (time < Duration::zero() && start < Instant::min() - time) return Instant::min();
  return start + time;
}

}  // namespace

std::optional<Instant> EvictionTime(const api::DeviceTaint& taint, Instant added,
                                    std::span<const api::Toleration> tolerations,
                                    const StayRules& rules) {
  std::optional<std::int64_t> covered;
  std::optional<std::int64_t> grace;
  const auto take = [](std::optional<std::int64_t>& least, std::int64_t seconds) {
    seconds = std::max<std::int64_t>(seconds, 0);
    least = std::min(least.value_or(seconds), seconds);
  };
  for (const api::Toleration& toleration : tolerations) {
    if (match::Tolerates(toleration, taint, rules.match)) {
      const bool is_within = rules.threshold_grace && IsThreshold(toleration);
      if (is_within || !toleration.toleration_seconds) return std::nullopt;
      take(covered, *toleration.toleration_seconds);
    } else if (rules.threshold_grace && GivesGrace(toleration, taint, rules.match)) {
      take(grace, *toleration.toleration_seconds);
    }
  }
  return Later(added, TimeOf(covered.value_or(grace.value_or(0))));
}

}  // namespace plimsoll::controller
