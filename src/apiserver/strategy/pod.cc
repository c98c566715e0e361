#include <algorithm>
#include <map>
#include <vector>

#include "apiserver/strategy/kinds.h"
#include "apiserver/strategy/qos.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

void SetGatedCondition(const ObjectEditor& pod) {
  const Value* gates = FindAt(pod.value(), "spec", "schedulingGates");
  if (gates == nullptr || gates->items().empty()) return;
  const ObjectEditor status = pod.Child("status");
  Value object = status.document().NewObject(4);
  const ObjectEditor condition(status.document(), object, status.ItemType("conditions"));
  condition.SetText("type", "PodScheduled");
  condition.SetText("status", "False");
  condition.SetText("reason", "SchedulingGated");
  condition.SetText("message", "Scheduling is blocked due to non-empty scheduling gates");
  Value list = status.document().NewArray(1);
  status.document().Append(list, object);
  status.Set("conditions", list);
}

/// Adds `<key> <op> [<the pod's value>]` to the term's selector for each label key in `field` that
/// the pod has.
void MergeLabelKeys(const ObjectEditor& term, std::string_view field, std::string_view op,
                    const Value& labels) {
  const Value* keys = term.Find(field);
  if (keys == nullptr || !term.Has("labelSelector")) return;
  const ObjectEditor selector = term.Child("labelSelector");
  codec::Document& document = term.document();
  for (const Value& key : keys->items()) {
    const Value* value = labels.Find(key.text());
    if (value == nullptr) continue;
    Value object = document.NewObject(3);
    const ObjectEditor requirement(document, object, selector.ItemType("matchExpressions"));
    requirement.Set("key", key);
    requirement.SetText("operator", op);
    Value values = document.NewArray(1);
    document.Append(values, *value);
    requirement.Set("values", values);
    Value* list = selector.Find("matchExpressions");
    if (list == nullptr) list = &selector.Set("matchExpressions", document.NewArray(1));
    document.Append(*list, object);
  }
}

void MergeTerms(const ObjectEditor& affinity, const Value& labels) {
  const auto merge = [&](const ObjectEditor& term) {
    MergeLabelKeys(term, "matchLabelKeys", "In", labels);
    MergeLabelKeys(term, "mismatchLabelKeys", "NotIn", labels);
  };
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  if (Value* required = affinity.Find(kRequired)) {
    for (Value& term : required->items()) {
      merge(ObjectEditor(affinity.document(), term, affinity.ItemType(kRequired)));
    }
  }
  if (Value* preferred = affinity.Find(kPreferred)) {
    for (Value& weighted : preferred->items()) {
      const ObjectEditor place(affinity.document(), weighted, affinity.ItemType(kPreferred));
      if (place.Has("podAffinityTerm")) merge(place.Child("podAffinityTerm"));
    }
  }
}

/// Applies matchLabelKeys and mismatchLabelKeys: adds the pod's own label values to its affinity
/// terms and topology spread constraints.
void MergeOwnLabels(const ObjectEditor& pod) {
  const Value* labels = FindAt(pod.value(), "metadata", "labels");
  if (labels == nullptr) return;
  const ObjectEditor spec = pod.Child("spec");
  if (Value* constraints = spec.Find("topologySpreadConstraints")) {
    const api::TypeDesc* type = spec.ItemType("topologySpreadConstraints");
    for (Value& constraint : constraints->items()) {
      MergeLabelKeys(ObjectEditor(spec.document(), constraint, type), "matchLabelKeys", "In",
                     *labels);
    }
  }
  if (!spec.Has("affinity")) return;
  const ObjectEditor affinity = spec.Child("affinity");
  if (affinity.Has("podAffinity")) MergeTerms(affinity.Child("podAffinity"), *labels);
  if (affinity.Has("podAntiAffinity")) MergeTerms(affinity.Child("podAntiAffinity"), *labels);
}

/// A client that does not know observedGeneration must not remove it.
void KeepObservedGenerations(const ObjectEditor& status, const Value* theirs) {
  if (theirs == nullptr) return;
  if (status.Int("observedGeneration") == 0) status.CopyFrom(theirs, "observedGeneration");
  Value* conditions = status.Find("conditions");
  const Value* before = theirs->Find("conditions");
  if (conditions == nullptr || before == nullptr) return;
  std::map<std::string_view, std::vector<const Value*>> by_type;
  for (const Value& condition : before->items()) {
    by_type[TextAt(condition, "type")].push_back(&condition);
  }
  std::map<std::string_view, std::size_t> used;
  for (Value& item : conditions->items()) {
    const ObjectEditor condition(status.document(), item, status.ItemType("conditions"));
    const std::string_view type = condition.Text("type");
    const auto found = by_type.find(type);
    const std::size_t place = used[type]++;
    if (condition.Int("observedGeneration") != 0 || found == by_type.end() ||
        place >= found->second.size()) {
      continue;
    }
    condition.CopyFrom(found->second[place], "observedGeneration");
  }
}

}  // namespace

api::Answer<void> CreatePod(const StrategyContext&, ObjectEditor pod) {
  const ObjectEditor spec = pod.Child("spec");
  const std::string_view qos_class = QosClassOf(spec.value());
  const ObjectEditor status = pod.Child("status");
  status.SetText("phase", "Pending");
  status.SetText("qosClass", qos_class);
  SetGatedCondition(pod);
  MergeOwnLabels(pod);
  return {};
}

api::Answer<void> UpdatePodStatus(const StrategyContext&, ObjectEditor pod, const Value& before) {
  const Value* theirs = before.Find("status");
  const ObjectEditor status = pod.Child("status");
  if (status.Text("qosClass").empty()) status.CopyFrom(theirs, "qosClass");
  KeepObservedGenerations(status, theirs);
  return {};
}

}  // namespace plimsoll::apiserver::kinds
