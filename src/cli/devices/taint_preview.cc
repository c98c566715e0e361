#include "cli/devices/taint_preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/time.h"
#include "controller/device_taint_eviction/eviction_pace.h"
#include "dra/eviction_time.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kBurst = controller::EvictionPace::kBurst;
constexpr std::size_t kDevicesShown = 10;

std::string Count(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// Returns how long the claim tolerates the taint: 0 if not at all, nullopt if for ever.
std::optional<std::int64_t> ToleratedSeconds(const api::DeviceResult& result,
                                             const api::DeviceTaint& taint,
                                             const match::TolerationTimeRules& rules) {
  constexpr Instant kAdded{};
  const auto end = dra::EvictionTime(taint, kAdded, result.tolerations, rules);
  if (!end) return std::nullopt;
  return std::chrono::floor<std::chrono::seconds>(*end - kAdded).count();
}

bool Selects(const api::DeviceTaintSelector& selector, const api::DeviceResult& result) {
  return selector.driver.value_or(result.driver) == result.driver &&
         selector.pool.value_or(result.pool) == result.pool &&
         selector.device.value_or(result.device) == result.device && !selector.device_class_name &&
         selector.selectors.empty();
}

/// Returns every use of a device that the rule selects. Unpublished devices can be matched only by
/// name.
std::vector<DeviceUse> SelectedUses(const DeviceSnapshot& snapshot,
                                    const api::DeviceTaintRule& rule,
                                    std::vector<std::string>& devices) {
  std::vector<DeviceUse> uses;
  for (const dra::TrackedDevice* const device : snapshot.tracker().SelectedBy(rule)) {
    const api::ResourceSlice& slice = *device->slice->view;
    const std::string_view name = device->device->name;
    devices.push_back(DeviceName(slice.driver, slice.pool.name, name));
    const auto& its = snapshot.UsesOf(slice.driver, slice.pool.name, name);
    uses.insert(uses.end(), its.begin(), its.end());
  }
  for (const std::span<const DeviceUse> its : snapshot.UsesOfUnpublished()) {
    if (!rule.selector || !Selects(*rule.selector, *its.front().result)) continue;
    uses.insert(uses.end(), its.begin(), its.end());
  }
  return uses;
}

}  // namespace

std::size_t TaintImpact::evicted() const {
  std::size_t sum = 0;
  for (const auto& [name, count] : evicted_by_namespace) sum += count;
  return sum;
}

TaintImpact ImpactOf(const DeviceSnapshot& snapshot, const api::DeviceTaintRule& rule,
                     const match::TolerationTimeRules& rules) {
  TaintImpact impact;
  api::DeviceTaint taint = rule.taint;
  taint.effect = api::device_effect::kNoExecute;
  // A pod stays as long as the least tolerant of its claims allows.
  struct Stay {
    std::string namespace_;
    std::optional<std::int64_t> seconds;
  };
  std::map<std::string_view, Stay> stays;  // by pod uid
  std::set<std::string_view> claims;
  const std::vector<DeviceUse> uses = SelectedUses(snapshot, rule, impact.devices);
  for (const DeviceUse& use : uses) {
    claims.insert(use.view().metadata.uid);
    const std::optional<std::int64_t> seconds = ToleratedSeconds(*use.result, taint, rules);
    for (const api::ConsumerReference& pod : use.view().reserved_for) {
      const auto [at, is_new] =
          stays.try_emplace(pod.uid, Stay{std::string(use.view().metadata.namespace_), seconds});
      if (is_new || !seconds) continue;
      at->second.seconds = std::min(at->second.seconds.value_or(*seconds), *seconds);
    }
  }
  std::ranges::sort(impact.devices);
  impact.claims = claims.size();
  impact.pods = stays.size();
  for (const auto& [uid, stay] : stays) {
    if (!stay.seconds) {
      ++impact.tolerating_pods;
      continue;
    }
    ++impact.evicted_by_namespace[stay.namespace_];
    if (*stay.seconds > 0) ++impact.delayed_pods;
    impact.delay_max_seconds = std::max(impact.delay_max_seconds, *stay.seconds);
  }
  return impact;
}

std::string ImpactText(const TaintImpact& impact, const api::DeviceTaint& taint) {
  std::string text = Count(impact.devices.size(), "device is", "devices are") + " selected.\n";
  for (std::size_t i = 0; i < impact.devices.size(); ++i) {
    if (i == kDevicesShown && impact.devices.size() > kDevicesShown + 1) {
      text += fmt::format("  and {} more\n", impact.devices.size() - i);
      break;
    }
    text += "  " + impact.devices[i] + "\n";
  }
  text += fmt::format("{} them, used by {}.\n", Count(impact.claims, "claim has", "claims have"),
                      Count(impact.pods, "pod", "pods"));
  if (impact.tolerating_pods > 0) {
    text += Count(impact.tolerating_pods, "pod tolerates", "pods tolerate") + " the taint.\n";
  }
  const std::size_t evicted = impact.evicted();
  const bool is_evicting = taint.effect == api::device_effect::kNoExecute;
  if (evicted == 0) {
    return text + (is_evicting ? "No pod will be evicted.\n" : "No pod would be evicted.\n");
  }
  text += fmt::format("{} {} be evicted in {}", Count(evicted, "pod", "pods"),
                      is_evicting ? "will" : "would",
                      Count(impact.evicted_by_namespace.size(), "namespace", "namespaces"));
  std::string_view separator = ": ";
  for (const auto& [name, count] : impact.evicted_by_namespace) {
    text += fmt::format("{}{} ({})", separator, name, count);
    separator = ", ";
  }
  text += is_evicting ? ".\n" : " if the effect was NoExecute.\n";
  if (impact.delayed_pods > 0) {
    text += fmt::format("{} the taint for up to {}.\n",
                        Count(impact.delayed_pods, "of them tolerates", "of them tolerate"),
                        FormatDuration(std::chrono::seconds(impact.delay_max_seconds)));
  }
  const std::size_t rest = evicted > kBurst ? evicted - kBurst : 0;
  const auto rate = static_cast<std::size_t>(dra::EvictionRate(taint));
  text += fmt::format(
      "At {} per second, with {} at once, that takes {}.\n", rate, kBurst,
      rest == 0 ? "no time" : FormatDuration(std::chrono::seconds((rest + rate - 1) / rate)));
  return text;
}

}  // namespace plimsoll::cli
