#include "controller/threshold_metrics/line_survey.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "api/core/node.h"
#include "api/core/pod_phase.h"
#include "base/text/ascii.h"
#include "controller/threshold_metrics/toleration_classes.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/template_hash.h"
#include "match/toleration.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::controller {
namespace {

using ObjectPtr = std::shared_ptr<const api::Object>;

/// Result of one toleration against one taint.
struct Standing {
  std::optional<match::LineDistance> distance;
  bool is_binding = false;  // the pod has to go when the value crosses the line
  bool is_refused = false;  // no toleration tolerates the taint
};

/// Compares each toleration list with each taint once.
class StandingTable {
 public:
  explicit StandingTable(const match::Rules& rules) : rules_(rules) {}

  const Standing& Find(std::size_t list, std::span<const api::Toleration> tolerations,
                       std::size_t index, const api::Taint& taint) {
    const auto taint_number =
        taints_.try_emplace({taint.key, taint.value, taint.effect}, taints_.size()).first->second;
    const auto [at, is_new] = known_.try_emplace({list, index, taint_number});
    if (is_new) at->second = Compare(tolerations, index, taint);
    return at->second;
  }

 private:
  Standing Compare(std::span<const api::Toleration> tolerations, std::size_t index,
                   const api::Taint& taint) const {
    const api::Toleration& toleration = tolerations[index];
    Standing standing;
    standing.distance = match::DistanceToLine(toleration, taint.value);
    if (!standing.distance) return standing;
    standing.is_refused = match::FindToleration(tolerations, taint, rules_) == nullptr;
    const match::Crossings crossings = match::FindCrossings(taint, tolerations, rules_);
    standing.is_binding = crossings.up == toleration.value || crossings.down == toleration.value;
    return standing;
  }

  const match::Rules rules_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> taints_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Standing> known_;
};

class Surveyor {
 public:
  Surveyor(std::span<const ObjectPtr> nodes, const match::Rules& rules, std::string_view key)
      : key_(key), standings_(rules) {
    for (const ObjectPtr& node : nodes) nodes_[node->metadata().name] = node->As<api::Node>();
  }

  void Add(const ObjectPtr& object) {
    const api::Pod& pod = *object->As<api::Pod>();
    if (IsPodTerminal(pod) || !object->metadata().deletion_timestamp.empty()) return;
    const std::span<const api::Toleration> tolerations = pod.spec.tolerations;
    if (std::ranges::none_of(tolerations, [&](const auto& one) { return IsWanted(one); })) return;
    const std::size_t list = lists_.Add(tolerations);
    const std::string workload = WorkloadOf(*object);
    const auto node = nodes_.find(pod.spec.node_name);
    for (std::size_t i = 0; i < tolerations.size(); ++i) {
      if (!IsWanted(tolerations[i])) continue;
      WorkloadLine& line = LineOf(pod, workload, tolerations[i]);
      ++line.pods;
      if (node == nodes_.end()) continue;
      for (const api::Taint& taint : node->second->spec.taints) {
        if (match::Concerns(tolerations[i], taint)) Compare(object, list, i, taint, line);
      }
    }
  }

  std::vector<WorkloadLine> Take() {
    for (WorkloadLine& line : lines_) {
      std::ranges::stable_sort(line.values, {},
                               [](const PodsAtValue& one) { return one.distance.share; });
    }
    std::ranges::stable_sort(lines_, [](const WorkloadLine& a, const WorkloadLine& b) {
      const auto order = [](const WorkloadLine& line) {
        return std::tuple(line.closest() == nullptr,
                          line.closest() == nullptr ? 0.0 : line.closest()->distance.share,
                          std::string_view(line.namespace_), std::string_view(line.workload));
      };
      return order(a) < order(b);
    });
    return std::move(lines_);
  }

 private:
  bool IsWanted(const api::Toleration& toleration) const {
    return match::IsThreshold(toleration) && !toleration.key.empty() &&
           (key_.empty() || toleration.key == key_);
  }

  WorkloadLine& LineOf(const api::Pod& pod, const std::string& workload,
                       const api::Toleration& toleration) {
    const auto [at, is_new] = places_.try_emplace(
        {std::string(pod.metadata.namespace_), workload, toleration.key, toleration.op,
         toleration.value, toleration.effect, toleration.toleration_seconds.value_or(-1)},
        lines_.size());
    if (is_new) {
      WorkloadLine& line = lines_.emplace_back();
      line.namespace_ = pod.metadata.namespace_;
      line.workload = workload;
      line.toleration = &toleration;
    }
    return lines_[at->second];
  }

  void Compare(const ObjectPtr& pod, std::size_t list, std::size_t index, const api::Taint& taint,
               WorkloadLine& line) {
    const Standing& standing = standings_.Find(list, lists_[list], index, taint);
    line.nodes.insert(pod->As<api::Pod>()->spec.node_name);
    if (!standing.distance) return;
    const auto place = static_cast<std::size_t>(&line - lines_.data());
    const auto [at, is_new] =
        values_.try_emplace({place, taint.value, taint.effect}, line.values.size());
    if (is_new) {
      line.values.push_back(
          {std::string(taint.value), std::string(taint.effect), *standing.distance, 0});
    }
    ++line.values[at->second].pods;
    if (standing.distance->is_near && standing.is_binding &&
        (line.near.empty() || line.near.back() != pod)) {
      line.near.push_back(pod);
    }
    if (standing.is_refused) ++line.beyond;
  }

  using Place = std::tuple<std::string, std::string, std::string_view, std::string_view,
                           std::string_view, std::string_view, std::int64_t>;

  const std::string_view key_;
  StandingTable standings_;
  TolerationClasses lists_;
  std::map<std::string_view, const api::Node*> nodes_;
  std::map<Place, std::size_t> places_;
  std::map<std::tuple<std::size_t, std::string_view, std::string_view>, std::size_t> values_;
  std::vector<WorkloadLine> lines_;
};

}  // namespace

std::string WorkloadOf(const api::Object& pod) {
  const api::OwnerReference* const owner = ControllerOf(pod.metadata());
  if (owner == nullptr) return "pod/" + std::string(pod.metadata().name);
  std::string_view kind = owner->kind;
  std::string_view name = owner->name;
  const auto hash = pod.metadata().labels.Find(kPodTemplateHash);
  if (kind == "ReplicaSet" && hash && name.size() > hash->size() + 1 && name.ends_with(*hash) &&
      name[name.size() - hash->size() - 1] == '-') {
    kind = "Deployment";
    name.remove_suffix(hash->size() + 1);
  }
  return Lowered(kind) + "/" + std::string(name);
}

std::vector<WorkloadLine> SurveyLines(std::span<const ObjectPtr> pods,
                                      std::span<const ObjectPtr> nodes, const match::Rules& rules,
                                      std::string_view key) {
  Surveyor surveyor(nodes, rules, key);
  for (const ObjectPtr& pod : pods) surveyor.Add(pod);
  return surveyor.Take();
}

}  // namespace plimsoll::controller
