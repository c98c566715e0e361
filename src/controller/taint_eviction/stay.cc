#include "controller/taint_eviction/stay.h"

#include <algorithm>
#include <optional>

#include "base/time_arithmetic.h"
#include "match/diagnosis.h"
#include "match/toleration.h"

namespace plimsoll::controller {
namespace {

using api::Taint;
using api::Toleration;
using Tolerations = std::span<const Toleration>;

/// Returns the toleration's time, or nothing if it is unlimited.
std::optional<Duration> TimeOf(const Toleration& toleration) {
  if (!toleration.toleration_seconds) return std::nullopt;
  const std::int64_t seconds = std::max<std::int64_t>(*toleration.toleration_seconds, 0);
  const Duration time = SaturatingSeconds(seconds);
  return time == Duration::max() ? std::nullopt : std::optional(time);
}

std::string Explain(const Taint& taint, const Toleration& toleration, Tolerations all,
                    const match::Rules& rules) {
  const auto index = static_cast<std::size_t>(&toleration - all.data());
  return ToText(match::TaintDiagnosis{
      .taint = &taint, .blocks = true, .nearest = match::Examine(index, toleration, taint, rules)});
}

/// Explains why no toleration matches the taint.
std::string ExplainRefusal(const Taint& taint, Tolerations tolerations, const match::Rules& rules) {
  api::PodSpec pod;
  pod.tolerations.assign(tolerations.begin(), tolerations.end());
  api::Node node;
  node.spec.taints = {taint};
  return ToText(Diagnose(pod, node, rules).taints.front());
}

}  // namespace

Stay DecideStay(std::span<const Taint> taints, Tolerations tolerations,
                const match::TolerationTimeRules& rules) {
  Stay stay;
  for (std::uint32_t i = 0; i < taints.size(); ++i) {
    const Taint& taint = taints[i];
    const Toleration* counted = match::FindToleration(tolerations, taint, rules.match);
    if (counted != nullptr && rules.threshold_grace && match::IsThreshold(*counted)) continue;
    if (counted == nullptr && rules.threshold_grace) {
      const auto found = std::ranges::find_if(tolerations, [&](const Toleration& one) {
        return match::GivesGrace(one, taint, rules.match);
      });
      if (found != tolerations.end()) counted = &*found;
    }
    if (counted == nullptr) {
      stay.limits.clear();
      stay.refusal = ExplainRefusal(taint, tolerations, rules.match);
      stay.refused = i;
      return stay;
    }
    if (const std::optional<Duration> time = TimeOf(*counted)) {
      stay.limits.push_back({i, *time, Explain(taint, *counted, tolerations, rules.match)});
    }
  }
  return stay;
}

}  // namespace plimsoll::controller
