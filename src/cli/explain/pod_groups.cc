#include "cli/explain/pod_groups.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "api/core/pod_phase.h"
#include "base/decimal.h"
#include "cli/explain/cluster_reader.h"
#include "cli/explain/toleration_margin.h"

namespace plimsoll::cli {
namespace {

bool HasOwnObjects(const api::PodSpec& spec) {
  return !spec.resource_claims.empty() ||
         std::ranges::any_of(spec.volumes, [](const api::Volume& volume) {
           return volume.kind != api::VolumeKind::Other;
         });
}

auto NameOf(const ObjectPtr& pod) {
  return std::tuple(pod->metadata().namespace_, pod->metadata().name);
}

/// Sorts by the margin; those without one come last.
auto OrderOf(const ToleranceGroup& group) {
  const std::optional<std::int64_t> margin = DecimalValue(group.margin);
  return std::tuple(!margin.has_value(), margin.value_or(0), std::string_view(group.toleration));
}

}  // namespace

std::vector<PodGroup> GroupPods(ClusterSnapshot& cluster, const std::vector<ObjectPtr>& pods) {
  std::vector<ObjectPtr> sorted = pods;
  std::ranges::sort(sorted, {}, NameOf);
  std::vector<PodGroup> groups;
  std::map<std::shared_ptr<const scheduler::PodClass>, std::size_t> places;
  for (const ObjectPtr& pod : sorted) {
    const api::Pod& view = *pod->As<api::Pod>();
    if (IsPodTerminal(view)) continue;
    if (HasOwnObjects(view.spec)) {
      groups.push_back({{pod}});
      continue;
    }
    // The scheduler does not know pods that wait for another scheduler, so ask for the class.
    const auto [at, is_new] = places.try_emplace(cluster.cluster().ClassOf(pod), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].pods.push_back(pod);
  }
  return groups;
}

std::vector<std::string> FullNames(const std::vector<ObjectPtr>& pods) {
  std::vector<std::string> names;
  for (const ObjectPtr& pod : pods) names.push_back(FullName(*pod));
  return names;
}

TaintTolerances FindTolerances(const api::Taint& taint, const std::vector<PodGroup>& groups,
                               const match::Rules& rules) {
  TaintTolerances found;
  for (const PodGroup& group : groups) {
    const auto tolerance = FindTolerance(taint, group.first().spec.tolerations, rules);
    if (!tolerance) {
      found.refusing += group.pods.size();
      continue;
    }
    found.tolerating += group.pods.size();
    const auto same = std::ranges::find(found.groups, tolerance->text, &ToleranceGroup::toleration);
    ToleranceGroup& to =
        same != found.groups.end()
            ? *same
            : found.groups.emplace_back(ToleranceGroup{tolerance->text, tolerance->margin, {}});
    const std::vector<std::string> names = FullNames(group.pods);
    to.pods.insert(to.pods.end(), names.begin(), names.end());
  }
  std::ranges::stable_sort(found.groups, {}, OrderOf);
  return found;
}

}  // namespace plimsoll::cli
