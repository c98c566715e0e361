#include "dra/eviction_time.h"

#include <algorithm>
#include <cstdint>

#include "base/time_arithmetic.h"
#include "match/toleration.h"

namespace plimsoll::dra {
namespace {

/// Combined effect of the tolerations on one taint.
struct Cover {
  bool is_covered = false;
  std::optional<std::int64_t> seconds;  // if covered; unset: for ever
  std::optional<std::int64_t> grace;    // after a crossed threshold
};

void TakeLeast(std::optional<std::int64_t>& least, std::int64_t seconds) {
  seconds = std::max<std::int64_t>(seconds, 0);
  least = std::min(least.value_or(seconds), seconds);
}

Cover CoverOf(const api::DeviceTaint& taint, std::span<const api::Toleration> tolerations,
              const match::TolerationTimeRules& rules) {
  Cover cover;
  for (const api::Toleration& toleration : tolerations) {
    if (match::Tolerates(toleration, taint, rules.match)) {
      cover.is_covered = true;
      const bool is_within = rules.threshold_grace && match::IsThreshold(toleration);
      if (is_within || !toleration.toleration_seconds || !match::Evicts(taint)) {
        cover.seconds.reset();
        return cover;
      }
      TakeLeast(cover.seconds, *toleration.toleration_seconds);
    } else if (rules.threshold_grace && match::GivesGrace(toleration, taint, rules.match)) {
      TakeLeast(cover.grace, *toleration.toleration_seconds);
    }
  }
  return cover;
}

bool Refuses(const DeviceTaintSource& source, std::span<const api::Toleration> tolerations,
             const match::TolerationTimeRules& rules, Instant now) {
  return match::BlocksScheduling(*source.taint) &&
         ToleratedUntil(*source.taint, TimeAdded(source), tolerations, rules) <= now;
}

}  // namespace

Instant TimeAdded(const DeviceTaintSource& source) {
  if (const Result<Instant> time = ParseTime(source.taint->time_added)) return *time;
  if (source.rule == nullptr) return {};
  return ParseTime(source.rule->metadata().creation_timestamp).value_or(Instant{});
}

std::optional<Instant> EvictionTime(const api::DeviceTaint& taint, Instant added,
                                    std::span<const api::Toleration> tolerations,
                                    const match::TolerationTimeRules& rules) {
  const Cover cover = CoverOf(taint, tolerations, rules);
  if (cover.is_covered && !cover.seconds) return std::nullopt;
  const std::int64_t seconds = cover.is_covered ? *cover.seconds : cover.grace.value_or(0);
  const Instant end = SaturatingAdd(added, SaturatingSeconds(seconds));
  return end == Instant::max() ? std::nullopt : std::optional(end);
}

Instant ToleratedUntil(const api::DeviceTaint& taint, Instant added,
                       std::span<const api::Toleration> tolerations,
                       const match::TolerationTimeRules& rules) {
  const Cover cover = CoverOf(taint, tolerations, rules);
  if (!cover.is_covered) return Instant::min();
  if (!cover.seconds) return Instant::max();
  return SaturatingAdd(added, SaturatingSeconds(*cover.seconds));
}

std::vector<const DeviceTaintSource*> FindAllUntolerated(
    const TrackedDevice& device, std::span<const api::Toleration> tolerations,
    const match::TolerationTimeRules& rules, Instant now) {
  std::vector<const DeviceTaintSource*> found;
  for (const DeviceTaintSource& source : device.taints) {
    if (Refuses(source, tolerations, rules, now)) found.push_back(&source);
  }
  return found;
}

const DeviceTaintSource* FindUntolerated(const TrackedDevice& device,
                                         std::span<const api::Toleration> tolerations,
                                         const match::TolerationTimeRules& rules, Instant now) {
  for (const DeviceTaintSource& source : device.taints) {
    if (Refuses(source, tolerations, rules, now)) return &source;
  }
  return nullptr;
}

}  // namespace plimsoll::dra
