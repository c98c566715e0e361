#include "scheduler/attempt_metrics.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace plimsoll::scheduler {

void AttemptMetrics::RecordTimes(std::size_t profile, const Placement& placement) {
  const auto report = [&](ExtensionPoint point, bool has_passed, std::optional<Duration> took) {
    const Code refusal = placement.error.ok() ? Code::Unschedulable : placement.error.code;
    if (took) metrics_.PointRan(profile, point, has_passed ? Code::Success : refusal, *took);
  };
  const PlacementTimes& times = placement.times;
  report(kPreFilter, times.filter.has_value(), times.pre_filter);
  report(kFilter, placement.feasible > 0, times.filter);
  report(kScore, placement.error.ok(), times.score);
}

void AttemptMetrics::CountRefusal(std::size_t profile, const Diagnosis& diagnosis) {
  CountFaults(diagnosis);
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const std::string_view name = plugins[i].plugin->name();
    const auto said = std::ranges::find_if(
        diagnosis.refusals,
        [&](const Diagnosis::Refusal& refusal) { return refusal.verdict.plugin == name; });
    const Code filter_code = said == diagnosis.refusals.end() ? Code::Success : said->verdict.code;
    const bool is_pre_filter = diagnosis.pre_filter.plugin == name;
    if ((plugins[i].points & kPreFilter) != 0) {
      metrics_.Evaluated(profile, i, kPreFilter,
                         is_pre_filter ? diagnosis.pre_filter.code : Code::Success, 1);
    }
    if ((plugins[i].points & kFilter) != 0 && diagnosis.pre_filter.ok()) {
      metrics_.Evaluated(profile, i, kFilter, filter_code, 1);
    }
    if (is_pre_filter) return;  // later plugins did not run
  }
}

void AttemptMetrics::CountFaults(const Diagnosis& diagnosis) {
  if (diagnosis.has_numeric_mismatch) metrics_.NumericMismatch();
  if (diagnosis.has_toleration_parse_failure) metrics_.TolerationParseFailure();
  if (diagnosis.has_label_parse_failure) metrics_.LabelParseFailure();
}

void AttemptMetrics::CountError(std::size_t profile, const Placement& placement) {
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  const auto failed = std::ranges::find_if(plugins, [&](const EnabledPlugin& one) {
    return one.plugin->name() == placement.error.plugin;
  });
  if (failed == plugins.end()) return;
  metrics_.Evaluated(profile, static_cast<std::size_t>(failed - plugins.begin()),
                     placement.error_point, Code::Error, 1);
}

void AttemptMetrics::Flush() {
  for (std::size_t profile = 0; profile < placed_.size(); ++profile) FlushProfile(profile);
}

void AttemptMetrics::FlushProfile(std::size_t profile) {
  const double times = std::exchange(placed_[profile], 0);
  if (times == 0) return;
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    for (const ExtensionPoint point : {kPreFilter, kFilter, kPreScore, kScore}) {
      if ((plugins[i].points & point) == 0) continue;
      metrics_.Evaluated(profile, i, point, Code::Success, times);
    }
  }
}

}  // namespace plimsoll::scheduler
