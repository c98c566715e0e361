#include "scheduler/queue/change.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/extension/extension.h"
#include "codec/value_at.h"

namespace plimsoll::scheduler {
namespace {

bool SameAmounts(const api::ResourceList& a, const api::ResourceList& b) {
  return std::ranges::equal(a, b, [](const api::ResourceAmount& x, const api::ResourceAmount& y) {
    return x.name == y.name && (x.text == y.text || x.quantity == y.quantity);
  });
}

bool SameImages(const std::vector<api::NodeImage>& a, const std::vector<api::NodeImage>& b) {
  return std::ranges::equal(a, b, [](const api::NodeImage& x, const api::NodeImage& y) {
    return x.size_bytes == y.size_bytes && x.names == y.names;
  });
}

const codec::Value* StatusField(const api::Object& object, std::string_view field) {
  const codec::Value* const status = object.tree().Find("status");
  return status == nullptr ? nullptr : status->Find(field);
}

bool SameStatusField(const api::Object& a, const api::Object& b, std::string_view field) {
  const codec::Value* const x = StatusField(a, field);
  const codec::Value* const y = StatusField(b, field);
  return x == nullptr || y == nullptr ? x == y : *x == *y;
}

using Condition = std::pair<std::string_view, std::string_view>;  // type and status

std::vector<Condition> Conditions(const api::Object& node) {
  std::vector<Condition> conditions;
  const codec::Value* const list = StatusField(node, "conditions");
  if (list == nullptr) return conditions;
  for (const codec::Value& item : list->items()) {
    conditions.emplace_back(TextAt(item, "type"), TextAt(item, "status"));
  }
  std::ranges::sort(conditions);
  return conditions;
}

}  // namespace

EventActions NodeChanges(const api::Object& before, const api::Object& after, EventActions wanted) {
  const api::Node& a = *before.As<api::Node>();
  const api::Node& b = *after.As<api::Node>();
  EventActions changes = 0;
  const auto look = [&](EventActions action, auto&& differs) {
    if ((wanted & action) != 0 && differs()) changes |= action;
  };
  look(kUpdateNodeAllocatable,
       [&] { return !SameAmounts(a.status.allocatable, b.status.allocatable); });
  look(kUpdateNodeLabel, [&] { return a.metadata.labels != b.metadata.labels; });
  look(kUpdateNodeTaint, [&] {
    // Only a node that becomes schedulable can help a pod.
    return a.spec.taints != b.spec.taints || (a.spec.unschedulable && !b.spec.unschedulable);
  });
  look(kUpdateNodeCondition, [&] { return Conditions(before) != Conditions(after); });
  look(kUpdateNodeAnnotation, [&] { return a.metadata.annotations != b.metadata.annotations; });
  look(kUpdateNodeDeclaredFeature,
       [&] { return !SameStatusField(before, after, "declaredFeatures"); });
  return changes;
}

bool HasNodeChanged(const api::Object& before, const api::Object& after) {
  const api::Node& a = *before.As<api::Node>();
  const api::Node& b = *after.As<api::Node>();
  return a.spec.unschedulable != b.spec.unschedulable || a.spec.taints != b.spec.taints ||
         a.metadata.labels != b.metadata.labels ||
         !SameAmounts(a.status.allocatable, b.status.allocatable) ||
         !SameImages(a.status.images, b.status.images) ||
         !SameStatusField(before, after, "declaredFeatures");
}

EventActions PodChanges(const api::Object& before, const api::Object& after) {
  const api::Pod& a = *before.As<api::Pod>();
  const api::Pod& b = *after.As<api::Pod>();
  EventActions changes = 0;
  if (a.metadata.labels != b.metadata.labels) changes |= kUpdatePodLabel;
  if (!a.spec.scheduling_gates.empty() && b.spec.scheduling_gates.empty()) {
    changes |= kUpdatePodGatesEliminated;
  }
  // Tolerations can be added, but not changed or removed.
  if (a.spec.tolerations.size() != b.spec.tolerations.size()) changes |= kUpdatePodToleration;
  if (!b.spec.resource_claims.empty() && !SameStatusField(before, after, "resourceClaimStatuses")) {
    changes |= kUpdatePodGeneratedClaim;
  }
  return changes != 0 ? changes : EventActions{kUpdateOther};
}

bool HasConstraintChange(const api::Object& before, const api::Object& after) {
  const api::PodSpec& a = before.As<api::Pod>()->spec;
  const api::PodSpec& b = after.As<api::Pod>()->spec;
  const auto node_affinity = [](const api::PodSpec& spec) {
    return spec.affinity && spec.affinity->node_affinity ? &*spec.affinity->node_affinity : nullptr;
  };
  const api::NodeAffinity* const old_affinity = node_affinity(a);
  const api::NodeAffinity* const new_affinity = node_affinity(b);
  const bool has_both = old_affinity != nullptr && new_affinity != nullptr;
  // A list that has only grown causes an event, and the plugins' hints decide.
  const bool has_grown = b.tolerations.size() > a.tolerations.size();
  return api::FaultOf(before) != api::FaultOf(after) ||
         (!has_grown && a.tolerations != b.tolerations) ||
         (has_both ? *old_affinity != *new_affinity : old_affinity != new_affinity);
}

bool HasScaledDown(const Resources& before, const Resources& after) {
  return before.milli_cpu > after.milli_cpu || before.memory > after.memory ||
         before.ephemeral_storage > after.ephemeral_storage ||
         std::ranges::any_of(before.scalars, [&](const ScalarAmount& scalar) {
           return scalar.amount > after.scalar(scalar.id);
         });
}

}  // namespace plimsoll::scheduler
