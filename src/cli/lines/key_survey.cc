#include "cli/lines/key_survey.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "api/core/node.h"
#include "controller/threshold_metrics/line_survey.h"
#include "controller/threshold_metrics/toleration_classes.h"
#include "match/threshold_line.h"
#include "match/toleration.h"
#include "match/toleration_time_rules.h"

namespace plimsoll::cli {
namespace {

using KeyAndEffect = std::pair<std::string_view, std::string_view>;

/// Pods of one toleration list on the nodes of one value.
using PodsByList = std::map<std::size_t, std::vector<const api::Object*>>;

struct NodesOfValue {
  std::size_t nodes = 0;
  std::size_t pods = 0;
  PodsByList lists;
};

struct ByValue {
  bool operator()(std::string_view a, std::string_view b) const {
    const int order = match::CompareValues(a, b);
    return order != 0 ? order < 0 : a < b;
  }
};
using Values = std::map<std::string_view, NodesOfValue, ByValue>;

class KeySurveyor {
 public:
  KeySurveyor(std::span<const ObjectPtr> pods, const match::Rules& rules, std::string_view key)
      : rules_(rules), key_(key), pods_(pods.size()) {
    for (const ObjectPtr& object : pods) {
      const api::Pod& pod = *object->As<api::Pod>();
      const std::size_t list = lists_.Add(pod.spec.tolerations);
      if (list == counts_.size()) {
        counts_.push_back(0);
        AddThresholdKeys(pod.spec.tolerations);
      }
      ++counts_[list];
      if (!pod.spec.node_name.empty()) {
        by_node_[pod.spec.node_name][list].push_back(object.get());
      }
    }
  }

  std::vector<KeySurvey> Survey(std::span<const ObjectPtr> nodes) {
    std::map<KeyAndEffect, Values> found;
    for (const ObjectPtr& node : nodes) {
      for (const api::Taint& taint : node->As<api::Node>()->spec.taints) {
        if (key_.empty() ? threshold_keys_.contains(taint.key) : taint.key == key_) {
          AddNode(node->metadata().name, found[{taint.key, taint.effect}][taint.value]);
        }
      }
    }
    std::vector<KeySurvey> surveys;
    for (const auto& [name, values] : found) {
      KeySurvey& survey = surveys.emplace_back();
      survey.key = name.first;
      survey.effect = name.second;
      survey.pods = pods_;
      for (const auto& [value, nodes_of] : values) {
        survey.values.push_back(SurveyValue(name, value, nodes_of));
      }
    }
    return surveys;
  }

 private:
  void AddThresholdKeys(std::span<const api::Toleration> tolerations) {
    for (const api::Toleration& one : tolerations) {
      if (match::IsThreshold(one)) threshold_keys_.insert(one.key);
    }
  }

  void AddNode(std::string_view name, NodesOfValue& value) const {
    ++value.nodes;
    const auto here = by_node_.find(name);
    if (here == by_node_.end()) return;
    for (const auto& [list, pods] : here->second) {
      value.pods += pods.size();
      auto& to = value.lists[list];
      to.insert(to.end(), pods.begin(), pods.end());
    }
  }

  ValueSurvey SurveyValue(const KeyAndEffect& name, std::string_view value,
                          const NodesOfValue& nodes) const {
    api::Taint taint;
    taint.key = name.first;
    taint.effect = name.second;
    taint.value = value;
    ValueSurvey survey{std::string(value), nodes.nodes, nodes.pods, 0, {}, {}};
    for (std::size_t list = 0; list < counts_.size(); ++list) {
      if (match::FindToleration(lists_[list], taint, rules_) != nullptr) {
        survey.allowed += counts_[list];
      }
    }
    std::vector<std::pair<std::string, const std::vector<const api::Object*>*>> up;
    std::vector<std::pair<std::string, const std::vector<const api::Object*>*>> down;
    for (const auto& [list, pods] : nodes.lists) {
      const match::Crossings crossings = match::FindCrossings(taint, lists_[list], rules_);
      if (crossings.up) up.emplace_back(*crossings.up, &pods);
      if (crossings.down) down.emplace_back(*crossings.down, &pods);
    }
    survey.up = NearestStep(up, 1);
    survey.down = NearestStep(down, -1);
    return survey;
  }

  /// Returns the step at the nearest of the values. `sign` is 1 for values above, -1 for below.
  static NextStep NearestStep(
      const std::vector<std::pair<std::string, const std::vector<const api::Object*>*>>& crossings,
      int sign) {
    NextStep step;
    if (crossings.empty()) return step;
    step.value = std::ranges::min_element(crossings, [&](const auto& a, const auto& b) {
                   return sign * match::CompareValues(a.first, b.first) < 0;
                 })->first;
    std::map<std::string, std::size_t> workloads;
    for (const auto& [value, pods] : crossings) {
      if (match::CompareValues(value, step.value) != 0) continue;
      step.pods += pods->size();
      for (const api::Object* const pod : *pods) {
        ++workloads[std::string(pod->metadata().namespace_) + "/" + controller::WorkloadOf(*pod)];
      }
    }
    std::vector<std::pair<std::size_t, std::string>> sorted;
    for (const auto& [workload, count] : workloads) sorted.emplace_back(count, workload);
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::size_t, std::string>::first);
    for (auto& [count, workload] : sorted) step.workloads.push_back(std::move(workload));
    return step;
  }

  const match::Rules rules_;
  const std::string_view key_;
  const std::size_t pods_;
  controller::TolerationClasses lists_;
  std::vector<std::size_t> counts_;  // pods by toleration list
  std::set<std::string_view> threshold_keys_;
  std::map<std::string_view, PodsByList> by_node_;
};

}  // namespace

std::vector<KeySurvey> SurveyKeys(std::span<const ObjectPtr> pods, std::span<const ObjectPtr> nodes,
                                  const match::Rules& rules, std::string_view key) {
  return KeySurveyor(pods, rules, key).Survey(nodes);
}

}  // namespace plimsoll::cli
